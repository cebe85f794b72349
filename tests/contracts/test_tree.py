"""How the code is laid out: where SQL may stand, who writes to the streams, how long a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("workbench", "screens", "db", "curation")
LONGEST = 500
_SQL = re.compile(
    r"^\s*(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(VIRTUAL\s+)?"
    r"(TABLE|INDEX|TRIGGER|VIEW)|ALTER\s+TABLE|DROP\s+TABLE|PRAGMA\s+\w|BEGIN\s+(IMMEDIATE|EXCLUSIVE)|VACUUM\b)",
    re.DOTALL,
)
# The two writers, the one that hands the terminal to the interface, and a developers' tool.
_STREAMS = {
    "workbench/output.py",
    "workbench/diagnostics.py",
    "workbench/terminal.py",
    "screens/locale/__main__.py",
}


def sources(*packages: str) -> Iterator[tuple[str, str]]:
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def strings(text: str) -> Iterator[str]:
    """Every string literal, the fixed parts of f-strings among them, docstrings left out."""
    tree = ast.parse(text)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_sql_lives_in_db_alone() -> None:
    found = [(n, s) for n, text in sources("workbench", "screens", "curation") for s in strings(text) if _SQL.match(s)]
    assert found == []
    assert any(_SQL.match(s) for _, text in sources("db") for s in strings(text))  # the net holds fish


@pytest.mark.parametrize("package", PACKAGES)
def test_nobody_prints_and_two_modules_write_to_the_streams(package: str) -> None:
    for name, text in sources(package):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("print", "input"), name
            is_stream = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys"
            if is_stream and isinstance(node, ast.Attribute) and node.attr in ("stdout", "stderr"):
                assert name in _STREAMS, f"{name}:{node.lineno}"


@pytest.mark.parametrize("folder", [*PACKAGES, "tests"])
def test_no_file_is_longer_than_a_reader_bears(folder: str) -> None:
    assert [(name, n) for name, text in sources(folder) if (n := len(text.splitlines())) > LONGEST] == []


def test_no_test_folder_is_named_like_a_package() -> None:
    names = {p.name for p in (ROOT / "tests").rglob("*") if p.is_dir()}
    assert not names & set(PACKAGES)


def test_no_module_is_named_for_nothing() -> None:
    empty = re.compile(r"(^|_)(utils?|helpers?|managers?|services?|handlers?|common|misc)(_|$)")
    assert [p for package in PACKAGES for p in (ROOT / package).rglob("*.py") if empty.search(p.stem)] == []


def test_the_floors_import_downwards() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as l; l()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert " 0 broken" in done.stdout
