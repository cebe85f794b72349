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
lists       what a project knows by itself
resolve     from competing candidates to disjoint ones
scan        the whole, over a dialogue
quasi       how many kinds of quasi-identifier a dialogue holds
replace     placeholders, invented names, less exact words; masks
presidio    the same recognisers in Presidio's engine (needs the extra `curator`)
"""

from curation.identifiers.kinds import DETECTED, DIRECT, QUASI, SURE, TYPES, class_of
from curation.identifiers.lists import Lists
from curation.identifiers.page import NotScanned
from curation.identifiers.quasi import SECOND_LOOK, quasi_kinds
from curation.identifiers.scan import DETECTOR_VERSION, LIMITS, Finding, detect, detector_version, limits

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
    "quasi_kinds",
]
