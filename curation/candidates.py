"""The candidate rules: which imported dialogues are worth a person's time.

A dialogue keeps the code of the first rule it fails. Near duplicates are found over all dialogues together,
by `curation.duplicates`, and carry the last code here.
"""

from __future__ import annotations

from itertools import pairwise

from curation.errors import N_
from curation.model import Dialogue
from curation.settings import Settings

RULES_VERSION = "candidates-1"

# The settings that decide who is a candidate: those of the rules, and that of the search for near duplicates.
RULE_SETTINGS = ("turn_unit", "min_turns", "max_turns", "max_characters", "near_duplicate")

# In the order they are tried; words for people beside each.
RULE_CODES: dict[str, str] = {
    "not_two_party": N_("not exactly two people speak"),
    "self_unknown": N_("nobody said which of the two speakers is ours; import again with --self NAME"),
    "ends_with_self": N_("the last message is our own, so there is nothing to answer"),
    "too_few_turns": N_("fewer turns than the project asks for"),
    "too_many_turns": N_("more turns than the project allows"),
    "too_long": N_("more characters than the project allows"),
    "near_duplicate": N_("nearly the same as a longer dialogue that is kept"),
}


def first_failure(dialogue: Dialogue, settings: Settings) -> str | None:
    """The code of the first rule that `dialogue` fails under `settings`, or None for a candidate.

    Only messages with something to see count: as speakers, as turns, as the last message, as characters
    (code points).
    """
    visible = [m for m in dialogue.messages if not m.blank]
    speakers = {m.speaker for m in visible}
    if len(speakers) != 2:
        return "not_two_party"
    if dialogue.self_speaker not in speakers:
        return "self_unknown"
    if visible[-1].speaker == dialogue.self_speaker:
        return "ends_with_self"
    if settings.turn_unit == "message":
        length = len(visible)
    else:
        length = 1 + sum(a.speaker != b.speaker for a, b in pairwise(visible))
    if length < settings.min_turns:
        return "too_few_turns"
    if settings.max_turns and length > settings.max_turns:
        return "too_many_turns"
    if settings.max_characters and sum(len(m.text) for m in visible) > settings.max_characters:
        return "too_long"
    return None
