"""What identifies people in a dialogue, found with rules of our own. See `detect`.

kinds       the sixteen types, and which are direct
page        a dialogue prepared: folded text, cues, what neighbouring messages say
cues        the words that say what a value is
numbers     runs of digits, in groups, in several readings
phones, documents, cards, accounts, links       the recognisers, pure functions of a page
resolve     from competing candidates to disjoint ones
scan        the whole, over a dialogue
replace     placeholders and masks
presidio    the same recognisers in Presidio's engine (needs the extra `curator`)
"""

from curation.identifiers.kinds import DETECTED, DIRECT, QUASI, SURE, TYPES, class_of
from curation.identifiers.page import NotScanned
from curation.identifiers.scan import DETECTOR_VERSION, LIMITS, Finding, detect, limits

__all__ = [
    "DETECTED",
    "DETECTOR_VERSION",
    "DIRECT",
    "LIMITS",
    "QUASI",
    "SURE",
    "TYPES",
    "Finding",
    "NotScanned",
    "class_of",
    "detect",
    "limits",
]
