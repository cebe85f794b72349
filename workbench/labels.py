"""Names that the store keeps in English, marked for the catalogue: stages, roles, layers, kinds of log entries."""

from __future__ import annotations

from curation.errors import N_
from curation.stages import STAGE_WORDS
from workbench.words import gettext, safe

_WORDS = {
    **{stage.value: words for stage, words in STAGE_WORDS.items()},
    # roles
    "curator": N_("curator"),
    "annotator": N_("annotator"),
    "expert": N_("expert"),
    # layers
    "raw": N_("raw"),
    "scrubbed": N_("scrubbed"),
    "normalised": N_("normalised"),
    "trimmed": N_("trimmed"),
    "edited": N_("edited"),
    # entries of the log
    "created": N_("made the project"),
    "person_added": N_("person added"),
    "person_retired": N_("person retired"),
    "paired": N_("paired"),
    "candidates": N_("candidate rules applied"),
    "assigned": N_("assigned"),
    "reassigned": N_("handed on"),
    "person_set": N_("person changed"),
    "quota_set": N_("quota set"),
    "commented": N_("commented"),
    "was_read": N_("read"),
    "training_gold": N_("training item set"),
    "round_given": N_("round handed out"),
    "round_answered": N_("answered in a round"),
    "screened": N_("screened"),
    "skipped": N_("skipped"),
    "ruled": N_("ruled"),
    "reopened": N_("opened again"),
    "swapped": N_("sides turned round"),
    "handed_back": N_("handed back"),
    "raised": N_("put before the lead"),
    "resolved": N_("seen to by the lead"),
    "finding": N_("identifier decided"),
    "edit_taken_back": N_("edit taken back"),
    "rule_taken_back": N_("rule taken back"),
    "dialect_told": N_("dialect told"),
    "settings_changed": N_("settings changed"),
    "sampled": N_("drawn into the sample"),
    "prompted": N_("prompt written"),
    "system_added": N_("system added"),
    "system_changed": N_("system changed"),
    "answered": N_("reply taken in"),
    "reply_waived": N_("flags let pass"),
    "exported": N_("release written"),
    "turns_seen": N_("turns read"),
    "revealed": N_("looked under a mask"),
    "review_done": N_("identifiers reviewed"),
    "review_signed": N_("review signed"),
    "waived": N_("let stand in the output"),
    "not_releasable": N_("said not releasable"),
    "releasable": N_("releasable after all"),
    "listed": N_("put on a list"),
    "lists_given": N_("lists taken from a file"),
    "purged": N_("originals destroyed"),
    "edit_signed": N_("rewriting signed"),
    "sent_back": N_("sent back"),
    "scoring_handed": N_("scoring handed out"),
    "scoring_keyed": N_("scoring drawn by lot"),
    "scored": N_("scored"),
    "scoring_closed": N_("scores closed"),
    "scoring_noted": N_("note on a score"),
    "scoring_flagged": N_("flag on a score"),
    "scoring_skipped": N_("scoring put off"),
    "gold_set": N_("gold score set"),
    "scoring_ended": N_("scoring ended"),
    "undone": N_("taken back"),
}


def label(name: str) -> str:
    """`name` in the reader's language; a name that is not known here as it is."""
    return gettext(_WORDS[name]) if name in _WORDS else safe(name)


_SIDES = {"self": N_("me"), "other": N_("other")}


def side(party: str) -> str:
    """One of the two sides, as the screens call it."""
    return gettext(_SIDES[party]) if party in _SIDES else safe(party)


def situation(name: str) -> str:
    """The name of a situation in the reader's language."""
    from curation.errors import WorkbenchError
    from curation.taxonomy import taxonomy
    from screens.locale import language

    try:
        return taxonomy().by_id(name).name(language()) if name else ""
    except WorkbenchError:
        return safe(name)  # of another version of the taxonomy
