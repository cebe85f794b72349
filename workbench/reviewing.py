"""The review of identifiers in words, for `explain` and `log`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from curation.errors import N_
from workbench import output
from workbench.words import gettext, sentence

if TYPE_CHECKING:
    from curation.work.review import ReviewPage

_LISTS = {
    "allow": N_("never an identifier here"),
    "deny": N_("always an identifier here: {type}"),
    "file": N_("lists and recognisers from a file"),
}


def ranges(numbers: Iterable[int]) -> str:
    """Whole numbers in few words: 1-6, 9."""
    found = []
    for _, group in groupby(enumerate(sorted(set(numbers))), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        found.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return ", ".join(found)


def facts(kind: str, body: Mapping[str, Any]) -> str | None:
    """What an event of the review says; None for an event that is none of those."""
    from screens.reviewwords import type_name

    if kind == "finding" and "counts" in body:
        return sentence(N_("accepted: {accepted}, rejected: {rejected}"), body["counts"])
    if kind == "turns_seen":
        return sentence(N_("turns {turns}"), {"turns": ranges(body.get("turns", ()))})
    if kind in ("revealed", "waived") and "message" in body:
        place = {"message": body["message"] + 1, "start": body["start"] + 1, "end": body["end"]}
        said = sentence(N_("message {message}, characters {start} to {end}"), place)
        return f"{said}: {type_name(body['type'])}" if kind == "waived" else said
    if kind in ("listed", "lists_given") and body.get("list") in _LISTS:
        return sentence(_LISTS[body["list"]], {"type": type_name(str(body.get("type", "")))})
    return "" if kind in ("review_done", "review_signed", "not_releasable", "releasable") else None


def told(page: ReviewPage, *, open_book: bool) -> dict[str, Any]:
    """The review of a dialogue as figures and names; reasons, which people wrote, only for those who may read the text."""
    return {
        "done_by": page.done_by or None,
        "signed_by": page.signed_by or None,
        "not_releasable_by": page.barred_by or None,
        "why": (page.barred or None) if open_book else None,
        "read": {str(turn): list(names) for turn, names in page.seen.items()},
        "waived": [
            {
                "message": w.place[0],
                "start": w.place[1],
                "end": w.place[2],
                "type": w.type,
                "by": w.person,
                "reason": w.reason if open_book else None,
            }
            for w in page.waivers
        ],
    }


def show(review: Mapping[str, Any]) -> None:
    """Print what the review of a dialogue amounts to."""
    from screens.reviewwords import BAR_REASONS, WAIVE_REASONS, reason_words, type_name

    if review["done_by"]:
        output.say(N_("identifiers reviewed by {by}"), by=review["done_by"])
    if review["signed_by"]:
        output.say(N_("the review signed by {by}"), by=review["signed_by"])
    if review["not_releasable_by"]:
        why = reason_words(review["why"] or "-", BAR_REASONS)
        output.say(N_("not releasable, says {by}: {why}"), by=review["not_releasable_by"], why=why)
    turns: dict[str, list[int]] = {}
    for turn, names in review["read"].items():
        for name in names:
            turns.setdefault(name, []).append(int(turn))
    for name, numbers in sorted(turns.items()):
        output.say(N_("turns read by {by}: {turns}"), by=name, turns=ranges(numbers))
    for one in review["waived"]:
        output.say(
            N_("let stand in message {message} by {by}: {type}, {why}"),
            message=one["message"] + 1,
            by=one["by"],
            type=type_name(one["type"]),
            why=reason_words(one["reason"] or "-", WAIVE_REASONS),
        )


def finding_row(message: int, kind: str, state: str, rule: str, text: str) -> tuple[object, ...]:
    """A decided finding as a row of a table."""
    from screens.reviewwords import STATE_NAMES, of_rule, type_name

    return message + 1, type_name(kind), gettext(STATE_NAMES[state]), of_rule(rule), text
