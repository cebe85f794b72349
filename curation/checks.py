"""What keeps a dialogue from being approved: every reason by its code, in the order in which a person goes through them."""

from __future__ import annotations

from enum import StrEnum

from curation.errors import N_


class Part(StrEnum):
    """The parts of quality control, in their order on the screen."""

    SCREENING = "screening"
    IDENTIFIERS = "identifiers"
    TEXT = "text"
    LENGTH = "length"
    REWRITING = "rewriting"
    APPROVAL = "approval"


PART_WORDS: dict[Part, str] = {
    Part.SCREENING: N_("screening"),
    Part.IDENTIFIERS: N_("identifiers"),
    Part.TEXT: N_("text"),
    Part.LENGTH: N_("length"),
    Part.REWRITING: N_("rewriting"),
    Part.APPROVAL: N_("approval"),
}

# code -> (the part it belongs to, words)
MATTERS: dict[str, tuple[Part, str]] = {
    "not_agreed": (Part.SCREENING, N_("the two have not agreed to keep it")),
    "not_scanned": (Part.IDENTIFIERS, N_("identifiers could not be looked for; run scrub again")),
    "undecided_findings": (Part.IDENTIFIERS, N_("identifiers wait for review")),
    "second_look": (
        Part.IDENTIFIERS,
        N_("three kinds of personal detail or more: somebody has to read every turn and finish the review"),
    ),
    "not_signed_off": (Part.IDENTIFIERS, N_("a second person has not signed off its identifiers")),
    "not_releasable": (Part.IDENTIFIERS, N_("it was said not to be releasable")),
    "conflicting_edits": (Part.TEXT, N_("an edit no longer fits the text below it")),
    "too_few_turns": (Part.LENGTH, N_("fewer turns would be left than the project asks for")),
    "too_many_turns": (Part.LENGTH, N_("more turns are left than the project allows")),
    "too_many_characters": (Part.LENGTH, N_("more characters are left than the project allows")),
    "last_turn_cut": (Part.LENGTH, N_("a part of the last turn would be lost")),
    "ends_with_self": (Part.LENGTH, N_("the last message left would be our own")),
    "conflicting_rewriting": (Part.REWRITING, N_("a rewriting no longer fits the text it was made on")),
    "unsigned_rewriting": (Part.REWRITING, N_("a rewriting waits for a second person to sign it")),
    "new_identifiers": (Part.REWRITING, N_("rewriting brought in what reads like an identifier")),
    "identifiers_left": (Part.APPROVAL, N_("the text as it stands still shows identifiers")),
    "approved_twice": (Part.APPROVAL, N_("nearly the same text is approved already under another id")),
    "approval_differs": (Part.APPROVAL, N_("what was approved is not what its layers amount to now")),
    "changed_meanwhile": (Part.APPROVAL, N_("someone changed it meanwhile")),
}


def part_of(code: str) -> Part:
    """The part that a reason belongs to; a reason of another version belongs to the approval."""
    return MATTERS[code][0] if code in MATTERS else Part.APPROVAL
