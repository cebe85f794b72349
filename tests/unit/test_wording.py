"""One is not many: every sentence that counts reads right for one, as for none and for more."""

from __future__ import annotations

import re
import string

import pytest

from curation.errors import RefusedStep
from curation.wording import filled
from screens import locale
from screens.locale.catalogue import found

# A count of one, a word or none between, and what can only follow more.
_MANY = re.compile(r"\b1 (?:\w+ )?(\w+s|people|are|have|were|wait|stay|hold)\b")
# What ends like many and is not.
_FINE = frozenset(
    {
        "was",
        "is",
        "has",
        "does",
        "its",
        "this",
        "waits",
        "stays",
        "counts",
        "enters",
        "holds",
        "names",
        "says",
        "goes",
        "chooses",
    }
)
# The fields that count something which can be one.
_COUNTS = {
    *("n", "count", "left", "dialogues", "messages", "turns", "characters", "items", "scores", "ratings", "compared"),
    *("pairs", "people", "waiting", "findings", "originals", "lines", "times", "screened", "left_out", "recognisers"),
    *("length", "problems", "replaced", "undone", "flagged", "missing"),
}
# Said of more than one alone, or of numbers that are fixed, or of names of turns.
_NEVER_ONE = (
    "a field holds at most",
    "what is said of a system is one line",
    "a value in {n} pieces",
    "but for {count} whose",
    "the package {name} needs",
    "turns {turns} stay",
    "{count} different labels",
    "{count} keys in one object",
    "{count} objects that differ",
    "{field}: {count} characters, at most",
    "{n} kinds together",
)


def sentences() -> list[str]:
    """All but those of the demonstration, whose numbers are always the same."""
    return sorted(
        key if isinstance(key, str) else key[0]
        for key, places in found().items()
        if not all(file.startswith("workbench/demo") for file, _ in places)
    )


def test_what_fits_the_number_stands_there() -> None:
    words = "{n} {n:line|lines} below, {left} {left:waits|wait}"
    assert filled(words, {"n": 1, "left": 3}) == "1 line below, 3 wait"
    assert filled(words, {"n": 0, "left": 1}) == "0 lines below, 1 waits"
    assert filled("{n:.1f} of {n}", {"n": 2}) == "2.0 of 2"
    assert filled("{{}} {n:one|more}", {"n": "1"}) == "{} one"
    assert str(RefusedStep("{n} {n:turn is|turns are} left", n=1)) == "1 turn is left"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_sentence_of_the_catalogue_counts_in_either_language(lang: str) -> None:
    locale.use(lang)
    said = locale.gettext("{n} {n:line|lines} below ↓")
    one, two = said.format(n=1), said.format(n=2)
    assert "|" not in one + two
    assert (one, two) == (("1 line below ↓", "2 lines below ↓") if lang == "en" else (one, one.replace("1", "2")))
    assert locale.told("{n} {n:line|lines} below ↓", {"n": 1}) == one


def test_no_sentence_says_many_of_one() -> None:
    wrong = []
    for sentence in sentences():
        names = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
        if not names & _COUNTS or sentence.startswith(_NEVER_ONE):
            continue
        said = filled(sentence, {name: 1 if name in _COUNTS else "x" for name in names})
        wrong += [(match[0], sentence) for match in _MANY.finditer(said) if match[1] not in _FINE]
    assert wrong == []
