"""`workbench text pii --eval`: how well this installation finds what people labelled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curation.errors import N_, BadInput
from workbench import diagnostics, output


def evaluated(file: Path) -> tuple[dict[str, Any], int]:
    """The figures over a file of labelled dialogues, and how many of its lines were bad. Raises BadInput without one."""
    from curation.identifiers import NotScanned, detect, detector_version, limits
    from curation.identifiers.evaluate import Scores, gold_of
    from workbench.words import gettext

    scores = Scores()
    bad = 0
    for number, record in diagnostics.counted(_records(file), gettext(N_("looking for identifiers"))):
        try:
            gold = gold_of(record)
        except BadInput as error:
            bad += 1
            diagnostics.report(error, f"{file.name}:{number}")
            continue
        try:
            scores.take(gold, detect(gold.messages))
        except NotScanned as error:
            diagnostics.report(error, f"{file.name}:{number}")
            scores.take(gold, None)
    if not scores.dialogues:
        raise BadInput(N_("{file} holds no labelled dialogue"), code="no_gold", file=file)
    return {"detector": detector_version(), "not_looked_for": limits(), **scores.figures()}, bad


def _records(file: Path) -> Iterator[tuple[int, object]]:
    """The lines of a file: (number from 1, what JSON it is, None where it is none)."""
    try:
        with file.open(encoding="utf-8-sig", errors="replace") as handle:
            for number, line in enumerate(handle, 1):
                if line.strip():
                    try:
                        yield number, json.loads(line)
                    except (ValueError, RecursionError):
                        yield number, None
    except OSError as error:
        raise BadInput(
            N_("{file} cannot be read: {reason}"), code="cannot_read", file=file, reason=error.strerror
        ) from error


def show(figures: dict[str, Any]) -> None:
    """Print them for people, with what could not be looked for."""
    from curation.identifiers import LIMITS, TYPES
    from workbench.words import gettext

    recall, right, labelled = figures["recall"], figures["right_type"], figures["labelled"]
    words = {
        "all": N_("all"),
        "direct": N_("direct"),
        "direct obfuscated": N_("direct, disguised"),
        "direct split": N_("direct, in pieces"),
        "quasi": N_("others"),
        "quasi obfuscated": N_("others, disguised"),
        "quasi split": N_("others, in pieces"),
    }
    order = [key for key in (*words, *TYPES) if key in labelled]
    heads = [N_("what"), N_("labelled"), N_("found"), N_("right type")]
    output.table(
        [gettext(head) for head in heads],
        [
            (gettext(words[key]) if key in words else key, labelled[key], _percent(recall[key]), _percent(right[key]))
            for key in order
        ],
    )
    output.line()
    output.say(
        N_("dialogues that leak a direct identifier: {count} of {total} ({share})"),
        count=figures["leaking"],
        total=figures["with_direct"],
        share=_percent(figures["leak_rate"]),
    )
    output.say(N_("precision, by letters and digits: {share}"), share=_percent(figures["precision"]))
    output.say(
        N_("false alarms: {count} in {lines} {lines:message|messages}, {rate} in a thousand"),
        count=figures["false_alarms"],
        lines=figures["lines"],
        rate=figures["false_alarms_per_thousand_lines"],
    )
    output.say(
        N_("clean dialogues with an alarm: {count} of {total}"), count=figures["clean_flagged"], total=figures["clean"]
    )
    output.say(N_("could not be searched: {count}"), count=figures["not_scanned"])
    output.say(N_("detector: {version}"), version=figures["detector"])
    missing = "; ".join(gettext(LIMITS[code]) for code in figures["not_looked_for"])
    if missing:
        output.say(N_("this installation could not look for everything: {what}"), what=missing)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
