"""The released record: one JSON object a dialogue, the same keys in the same order in every line.

Loaders of data sets trip over columns that come and go or hold null: every key is always there, "" stands for
what is not known, and counts name every kind they can count, zeros included. Nothing here reads a clock or a
file: the same decisions give the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from curation.errors import N_, RefusedStep
from curation.model import Message, Party, turns_of
from curation.normalise import RULES
from curation.taxonomy import Taxonomy, taxonomy

RELEASE_FORMAT = 1

IDENTIFIER_TYPES = (
    "PHONE",
    "ID_NUMBER",
    "BANK_CARD",
    "PLATE",
    "WECHAT",
    "QQ",
    "HANDLE",
    "EMAIL",
    "URL",
    "GEO",
    "TRACKING",
    "SECRET",
    "PERSON",
    "ADDRESS",
    "ORG",
    "BIRTHDATE",
)


def _counts(given: Mapping[str, int], known: Iterable[str]) -> dict[str, int]:
    """`given` with a zero for each `known` name it lacks; known names first, the others sorted after them."""
    names = list(known)
    return {name: int(given.get(name, 0)) for name in [*names, *sorted(set(given) - set(names))]}


def release_record(
    release_id: str,
    messages: Sequence[tuple[str, str]],
    situation: str,
    *,
    dialects: Sequence[str] = (),
    source: str = "",
    rules_version: str = "",
    detector_version: str = "",
    policy_version: str = "",
    normaliser_version: str = "",
    turns_before: int = 0,
    quasi_kinds: int = 0,
    identifiers_replaced: Mapping[str, int] | None = None,
    edits: Mapping[str, int] | None = None,
    terms: str = "",
    words: Taxonomy | None = None,
) -> dict[str, Any]:
    """One release line as a dict, from final texts.

    `messages` are (party, text), the party `self` or `other`; messages with nothing to see are left out.
    `release_id` is opaque. `turns_before` counts the untrimmed turns (0: none were taken out,
    the count left stands). `quasi_kinds` is how many kinds of quasi-identifier were replaced: three or more say
    that together they could have told who somebody is. `identifiers_replaced` counts by type and `edits` by rule.
    Raises RefusedStep for a party that is neither and for a dialogue without a message; NotFound for an unknown situation.
    """
    for party, _ in messages:
        if party not in (Party.SELF, Party.OTHER):
            raise RefusedStep(N_("a released message is of self or of other, not of {party}"), party=party)
    lines = [Message(str(party), text) for party, text in messages]
    turns = turns_of(lines)
    if not turns:
        raise RefusedStep(N_("dialogue {id} has nothing left to release"), "empty_dialogue", id=release_id)
    tree = words or taxonomy()
    chosen = tree.by_id(situation)
    return {
        "id": release_id,
        "messages": [
            {"turn": turn.number, "speaker": turn.speaker, "text": lines[i].text}
            for turn in turns
            for i in turn.messages
            if not lines[i].blank
        ],
        "turns": len(turns),
        "situation": chosen.id,
        "situation_zh": chosen.zh,
        "situation_en": chosen.en,
        "family": chosen.family.id,
        "family_zh": chosen.family.zh,
        "family_en": chosen.family.en,
        "dialects": list(dialects),
        "provenance": {
            "source": source,
            "format": RELEASE_FORMAT,
            "taxonomy": tree.version,
            "rules": rules_version,
            "detector": detector_version,
            "policy": policy_version,
            "normaliser": normaliser_version,
            "turns_before": turns_before or len(turns),
            "quasi_kinds": quasi_kinds,
            "identifiers_replaced": _counts(identifiers_replaced or {}, IDENTIFIER_TYPES),
            "edits": _counts(edits or {}, RULES),
            "terms": terms,
        },
    }


# Raw in JSON these are legal and yet break readers: some split lines at the first three, and a lone
# surrogate has no UTF-8.
_ESCAPED = re.compile("[\x85\u2028\u2029\ud800-\udfff]")


def to_line(record: Mapping[str, Any]) -> str:
    """`record` as one line of JSON that ends with a line feed, ready for UTF-8; keys stay in their order."""
    line = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    return _ESCAPED.sub(lambda m: f"\\u{ord(m[0]):04x}", line) + "\n"


def _rows(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> list[str]:
    def row(cells: Iterable[object]) -> str:
        return "| " + " | ".join(str(c).replace("|", "\\|").replace("\n", " ") for c in cells) + " |"

    return [row(head), row("---" for _ in head), *(row(r) for r in rows)]


def _size(count: int) -> str:
    for limit, name in (
        (1_000, "n<1K"),
        (10_000, "1K<n<10K"),
        (100_000, "10K<n<100K"),
        (1_000_000, "100K<n<1M"),
    ):
        if count < limit:
            return name
    return "n>1M"


def _header(manifest: Mapping[str, Any], dialogues: int) -> list[str]:
    def quoted(value: object) -> str:
        return json.dumps(str(value), ensure_ascii=False)

    # YAML reads a JSON string as itself, which keeps a title with a colon in it harmless.
    return [
        "---",
        "language:",
        "- zh",
        f"pretty_name: {quoted(manifest.get('title', ''))}",
        f"license: {quoted(manifest.get('license') or 'other')}",
        "annotations_creators:",
        "- expert-generated",
        "language_creators:",
        "- found",
        "size_categories:",
        f"- {quoted(_size(dialogues))}",
        "configs:",
        "- config_name: default",
        "  data_files:",
        "  - split: test",
        f"    path: {quoted(manifest.get('data_file') or 'dialogues.jsonl')}",
        "---",
        "",
    ]


def data_card(manifest: Mapping[str, Any]) -> str:
    """The README of a release folder: Markdown in Chinese and English, with the header that loaders read.

    `manifest` may hold: `title`, `version`, `license`, `terms` (a text), `data_file`, `counts`
    (`dialogues`, `messages`, `turns`), `situations` {id: n}, `dialects` {tag: n}, `identifiers_replaced`
    {type: n}, `edits` {rule: n}, `versions` {part: version}, `limits` (sentences on what was not looked
    for). What is missing is left out; the situations are all named, zeros included.
    """
    counts = manifest.get("counts", {})
    dialogues = int(counts.get("dialogues", 0))
    title = str(manifest.get("title", "")) or "Dialogues"
    lines = [*_header(manifest, dialogues), f"# {title}", ""]
    if manifest.get("version"):
        lines += [f"版本 Version: {manifest['version']}", ""]
    lines += [(files("curation") / "data" / "card.md").read_text(encoding="utf-8").strip(), ""]
    lines += ["## 规模 Size", ""]
    names = (("dialogues", "对话 dialogues"), ("messages", "消息 messages"), ("turns", "话轮 turns"))
    lines += _rows(("", "n"), [(words, int(counts[key])) for key, words in names if key in counts])
    tree = taxonomy()
    given = manifest.get("situations", {})
    lines += ["", "## 情境 Situations", ""]
    lines += _rows(
        ("family", "situation", "id", "n"),
        [
            (f"{s.family.zh} {s.family.en}", f"{s.zh} {s.en}", f"`{s.id}`", int(given.get(s.id, 0)))
            for s in tree.situations
        ],
    )
    lines += ["", *(f"- **{s.zh} {s.en}**: {s.definition_zh} {s.definition_en}" for s in tree.situations)]
    tables = (
        ("dialects", "方言 Dialects", "tag"),
        ("identifiers_replaced", "已替换的身份信息 Identifiers replaced", "type"),
        ("edits", "字符规整 Characters tidied", "rule"),
        ("versions", "版本 Versions of what made it", "part"),
    )
    for key, heading, column in tables:
        if manifest.get(key):
            lines += ["", f"## {heading}", ""]
            lines += _rows((column, "n" if key != "versions" else "version"), sorted(manifest[key].items()))
    if manifest.get("limits"):
        lines += ["", "## 局限 Limits", "", *(f"- {sentence}" for sentence in manifest["limits"])]
    if manifest.get("terms"):
        lines += ["", "## 使用条款 Terms", "", str(manifest["terms"]).strip()]
    return "\n".join(lines) + "\n"
