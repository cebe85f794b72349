"""How well identifiers are found, against dialogues that people labelled.

Gold: {"id", "messages": [{"speaker", "text"}], "spans": [{"message", "start", "end", "type", "class", "obfuscated",
"split"}]}, a line each; `class` is direct or quasi, `obfuscated` and `split` say how the value was written.

A labelled span is caught when nine tenths of its letters and digits are covered by what was found, of whatever type; it
has the right type when most of it is covered by one finding of that type. A dialogue leaks when a direct span of it is
not caught. Precision is the share of the letters and digits found that lie inside labelled spans; a false alarm is a
finding of which less than half does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from curation.errors import N_, BadInput
from curation.identifiers.finding import Finding
from curation.identifiers.kinds import DIRECT, TYPES

ENOUGH = 0.9


@dataclass(frozen=True, slots=True)
class Labelled:
    """A span that people labelled."""

    message: int
    start: int
    end: int
    type: str
    direct: bool
    obfuscated: bool = False
    split: bool = False


@dataclass(frozen=True, slots=True)
class Gold:
    """A labelled dialogue."""

    id: str
    messages: tuple[tuple[str, str], ...]
    spans: tuple[Labelled, ...]


def gold_of(record: object) -> Gold:
    """A labelled dialogue from its JSON. Raises BadInput, with a word on what is wrong and none of the text."""
    try:
        if not isinstance(record, dict):
            raise TypeError
        messages = tuple((str(m.get("speaker", "")), _text(m["text"])) for m in record["messages"])
        spans = tuple(_labelled(one, messages) for one in record["spans"])
        return Gold(str(record["id"]), messages, spans)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise BadInput(
            N_("no labelled dialogue: it needs id, messages and spans that lie inside them"), code="bad_gold"
        ) from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _labelled(one: Mapping[str, Any], messages: Sequence[tuple[str, str]]) -> Labelled:
    message, start, end = one["message"], one["start"], one["end"]
    if type(message) is not int or message < 0 or not 0 <= start < end <= len(messages[message][1]):
        raise ValueError
    kind = one["type"]
    if kind not in TYPES:
        raise ValueError
    direct = one["class"] == "direct" if "class" in one else kind in DIRECT
    return Labelled(message, start, end, kind, direct, bool(one.get("obfuscated")), bool(one.get("split")))


@dataclass
class Scores:
    """What was counted so far. Keys of the counters are `direct`, `quasi`, these with `obfuscated` or `split`, the types,
    and `all`."""

    labelled: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    typed: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    dialogues: int = 0
    lines: int = 0
    found: int = 0
    letters: int = 0
    letters_right: int = 0
    with_direct: int = 0
    leaking: int = 0
    clean: int = 0
    clean_flagged: int = 0
    not_scanned: int = 0

    def take(self, gold: Gold, found: Sequence[Finding] | None) -> None:
        """Count one dialogue; `found` is None where it could not be searched, which catches nothing."""
        self.not_scanned += found is None
        findings = found or ()
        texts = [text for _, text in gold.messages]
        self.dialogues += 1
        self.lines += len(texts)
        leaked = False
        for span in gold.spans:
            caught, kind = _covered(span, texts[span.message], findings)
            word = "direct" if span.direct else "quasi"
            keys = ["all", word, span.type]
            keys += [f"{word} obfuscated"] if span.obfuscated else []
            keys += [f"{word} split"] if span.split else []
            self.labelled.update(keys)
            if caught:
                self.caught.update(keys)
                self.typed.update(keys if kind == span.type else [])
            leaked |= span.direct and not caught
        for one in findings:
            own = _letters(texts[one.message], one.start, one.end)
            inside = {at for at in own if any(s.message == one.message and s.start <= at < s.end for s in gold.spans)}
            self.found += 1
            self.letters += len(own)
            self.letters_right += len(inside)
            if len(inside) * 2 < len(own):
                self.alarms["direct" if one.type in DIRECT else "quasi"] += 1
        if any(span.direct for span in gold.spans):
            self.with_direct += 1
            self.leaking += leaked
        if not gold.spans:
            self.clean += 1
            self.clean_flagged += bool(findings)

    def figures(self) -> dict[str, Any]:
        """Everything as plain values: shares with what they are shares of, None where that is nothing."""
        keys = sorted(self.labelled)
        alarms = sum(self.alarms.values())
        return {
            "dialogues": self.dialogues,
            "lines": self.lines,
            "recall": {key: _share(self.caught[key], self.labelled[key]) for key in keys},
            "right_type": {key: _share(self.typed[key], self.caught[key]) for key in keys},
            "labelled": {key: self.labelled[key] for key in keys},
            "precision": _share(self.letters_right, self.letters),
            "found": self.found,
            "false_alarms": alarms,
            "false_alarms_per_thousand_lines": _share(1000 * alarms, self.lines),
            "false_alarms_direct": self.alarms["direct"],
            "false_alarms_quasi": self.alarms["quasi"],
            "leak_rate": _share(self.leaking, self.with_direct),
            "leaking": self.leaking,
            "with_direct": self.with_direct,
            "clean": self.clean,
            "clean_flagged": self.clean_flagged,
            "not_scanned": self.not_scanned,
        }


def _letters(text: str, start: int, end: int) -> set[int]:
    return {at for at in range(start, end) if text[at].isalnum()} or set(range(start, end))


def _covered(span: Labelled, text: str, found: Sequence[Finding]) -> tuple[bool, str]:
    """Whether a span is caught, and the type of the finding that covers most of it."""
    need = _letters(text, span.start, span.end)
    got: set[int] = set()
    best, kind = 0, ""
    for one in found:
        if one.message == span.message:
            part = {at for at in need if one.start <= at < one.end}
            got |= part
            if len(part) > best:
                best, kind = len(part), one.type
    return len(got) >= ENOUGH * len(need), kind


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
