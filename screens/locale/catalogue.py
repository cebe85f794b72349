"""Keeping the catalogue whole: finding every sentence, and compiling. Needs Babel, so it is for developers only."""

from __future__ import annotations

import ast
from gettext import GNUTranslations
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from screens.locale import DOMAIN, FOLDER

PACKAGES = ("curation", "db", "screens", "workbench")
KEYWORDS: dict[str, tuple[int, ...] | None] = {"_": None, "N_": None, "gettext": None, "told": None, "ngettext": (1, 2)}
ROOT = FOLDER.parent.parent
PO = FOLDER / "zh" / "LC_MESSAGES" / f"{DOMAIN}.po"
MO = PO.with_suffix(".mo")

Key = str | tuple[str, ...]


def found(root: Path = ROOT) -> dict[Key, list[tuple[str, int]]]:
    """Every sentence of the four packages, with the files and lines where it stands.

    Reads the syntax tree, because Babel's own extractor does not look into f-strings on every Python; the test holds
    the two against each other.
    """
    messages: dict[Key, list[tuple[str, int]]] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                key = _sentence(node)
                if key:
                    assert isinstance(node, ast.Call)
                    messages.setdefault(key, []).append((path.relative_to(root).as_posix(), node.lineno))
    return messages


def _sentence(node: ast.AST) -> Key | None:
    if not isinstance(node, ast.Call):
        return None
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name not in KEYWORDS:
        return None
    wanted = 2 if KEYWORDS[name] else 1
    words = [a.value for a in node.args[:wanted] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if len(words) < wanted:
        return None
    return words[0] if wanted == 1 else tuple(words)


def read() -> Catalog:
    """The Chinese catalogue as it stands."""
    with PO.open("rb") as file:
        return read_po(file, locale="zh", domain=DOMAIN)


def stale(catalogue: Catalog) -> list[str]:
    """The sentences that the `.mo` does not hold as `catalogue` has them. Headers, which change by themselves, are
    not looked at."""
    if not MO.exists():
        return [str(message.id) for message in catalogue if message.id]
    with MO.open("rb") as file:
        held = GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    wanted: dict[object, str] = {}
    for message in catalogue:
        if not message.id or not message.string:
            continue
        if isinstance(message.string, str):
            wanted[message.id] = message.string
        elif any(message.string):
            wanted.update({(message.id[0], n): words for n, words in enumerate(message.string)})
    return [str(key) for key in {*wanted, *held} - {""} if wanted.get(key) != held.get(key)]


def update() -> list[Key]:
    """Write the `.po` with every sentence that there is now and no other, and compile it. Returns what lacks Chinese."""
    old = read() if PO.exists() else Catalog(locale="zh", domain=DOMAIN)
    new = Catalog(locale="zh", domain=DOMAIN, fuzzy=False, project="dialogue-workbench", charset="utf-8")
    missing: list[Key] = []
    for key, places in sorted(found().items(), key=lambda item: (item[1][0][0], item[1][0][1])):
        message = old.get(key if isinstance(key, str) else key[0])
        words = message.string if message is not None and message.string else None
        if not words or not any(words):
            missing.append(key)
        new.add(key, words if words else None, locations=sorted({(name, 0) for name, _ in places}))
    with PO.open("wb") as file:
        write_po(file, new, width=110, omit_header=False, include_lineno=False)
    _steady_header()
    catalogue = read()
    if stale(catalogue):
        with MO.open("wb") as file:
            write_mo(file, catalogue)
    return missing


def _steady_header() -> None:
    """Leave out dates and versions, which would change the file when nothing in it changed."""
    lines = PO.read_text(encoding="utf-8").splitlines(keepends=True)
    unsteady = ("POT-Creation-Date", "PO-Revision-Date", "Generated-By", "Last-Translator", "Language-Team")
    kept = [
        line
        for n, line in enumerate(lines)
        if not (line.startswith("#") and n < 10 and not line.startswith("#:"))
        and not line.startswith(tuple(f'"{name}' for name in unsteady))
    ]
    PO.write_text("".join(kept), encoding="utf-8")
