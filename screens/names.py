"""Short names of what the store calls by ids: rules of normalisation, dialects, kinds of slang. English, for the catalogue."""

from __future__ import annotations

from curation.errors import N_
from screens.display import visible
from screens.locale import told

RULE_NAMES = {
    "invisible": N_("invisible"),
    "space": N_("space"),
    "width": N_("width"),
    "radical": N_("radical"),
    "marks": N_("marks"),
    "interjection": N_("interjection"),
    "script": N_("script"),
}
DIALECT_NAMES = {
    "mandarin": N_("Mandarin"),
    "cantonese": N_("Cantonese"),
    "southwestern": N_("Southwestern"),
    "northeastern": N_("Northeastern"),
    "central": N_("Central Plains"),
    "shaanxi": N_("Shaanxi and Northwest"),
    "wu": N_("Wu"),
    "minnan": N_("Minnan"),
    "hakka": N_("Hakka"),
    "xiang": N_("Xiang"),
    "gan": N_("Gan"),
}
SLANG_NAMES = {
    "abbreviation": N_("abbreviation"),
    "homophone": N_("homophone"),
    "slang": N_("slang"),
    "digits": N_("digits for words"),
    "emoji": N_("emoji for a word"),
    "evasion": N_("gets past a filter"),
    "abuse": N_("abuse"),
    "typo": N_("perhaps a slip"),
}

# What is flagged in a reply (`curation.replies.FLAGS`), in a word or two.
FLAG_NAMES = {
    "too_long": N_("too long"),
    "empty_reply": N_("no reply"),
    "empty_field": N_("empty field"),
    "uncalled_field": N_("uncalled field"),
    "refusal": N_("refusal"),
    "wrong_language": N_("wrong language"),
    "echo": N_("echo"),
    "self_identification": N_("names itself"),
    "control": N_("odd characters"),
    "unbound": N_("prompt not named"),
    "stale": N_("older text"),
    "purged": N_("destroyed"),
    "missing": N_("absent"),
}


def flag(code: str) -> str:
    """What a flag says, in a word or two; one of another version as it is."""
    return told(FLAG_NAMES[code]) if code in FLAG_NAMES else visible(code, one_line=True)


def dialect(tag: str) -> str:
    """The name of a dialect; a tag of another version as it is."""
    return told(DIALECT_NAMES[tag]) if tag in DIALECT_NAMES else visible(tag, one_line=True)


def rule(name: str) -> str:
    """The name of a rule, or of several that made one edit (`width+script`)."""
    return "+".join(told(RULE_NAMES[one]) if one in RULE_NAMES else one for one in name.split("+"))
