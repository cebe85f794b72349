"""What identifies people in a dialogue, found with rules of our own and a tagger where one is installed. See `detect`.

kinds       the sixteen types, and which are direct
page        a dialogue prepared: folded text, cues, what neighbouring messages say
cues        the words that say what a value is
numbers     runs of digits, in groups, in several readings
phones, documents, cards, accounts, links, plates, positions, parcels, passcodes, handles
            the recognisers of direct identifiers, pure functions of a page
pieces      values sent in pieces over several messages
names, addresses, organisations, birthdays       the recognisers of the others
namefinder  the tagger of this installation
looks, opinion   the trained reader: what it looks at, what it says
lists       what a project knows by itself
patterns    patterns compiled when first used; lexicon, left, nameshapes: what words and names look like
resolve     from competing candidates to disjoint ones
scan        the whole, over a dialogue
finding     what it gives, and its version
evaluate    how well they are found, against labelled dialogues
quasi       how many kinds of quasi-identifier a dialogue holds
replace     placeholders, invented names, less exact words
masks       what covers them in text nobody has reviewed
presidio    the same recognisers in Presidio's engine (needs the extra `curator`)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from curation.identifiers.finding import DETECTOR_VERSION, Finding, outdated
from curation.identifiers.kinds import DETECTED, DIRECT, QUASI, SURE, TYPES, class_of

if TYPE_CHECKING:
    from curation.identifiers.lists import Lists
    from curation.identifiers.page import NotScanned
    from curation.identifiers.quasi import SECOND_LOOK, quasi_kinds
    from curation.identifiers.scan import LIMITS, detect, detector_version, limits

# The recognisers take a while to import; who only speaks of findings does not wait for them.
_LATE = {
    "LIMITS": "scan",
    "Lists": "lists",
    "NotScanned": "page",
    "SECOND_LOOK": "quasi",
    "detect": "scan",
    "detector_version": "scan",
    "limits": "scan",
    "quasi_kinds": "quasi",
}


def __getattr__(name: str) -> object:
    if name in _LATE:
        return getattr(import_module(f"curation.identifiers.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "DETECTED",
    "DETECTOR_VERSION",
    "DIRECT",
    "LIMITS",
    "QUASI",
    "SECOND_LOOK",
    "SURE",
    "TYPES",
    "Finding",
    "Lists",
    "NotScanned",
    "class_of",
    "detect",
    "detector_version",
    "limits",
    "outdated",
    "quasi_kinds",
]
