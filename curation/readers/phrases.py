"""What Python's own parsers say about JSON, CSV and dates, as phrases of the catalogue.

Their words differ between versions of Python; what is not listed here stands as it is.
"""

from __future__ import annotations

from curation.errors import N_, Phrase

_KNOWN = frozenset(
    {
        # json
        N_("expecting value"),
        N_("expecting property name enclosed in double quotes"),
        N_("expecting ':' delimiter"),
        N_("expecting ',' delimiter"),
        N_("illegal trailing comma before end of object"),
        N_("illegal trailing comma before end of array"),
        N_("invalid control character"),
        N_("invalid \\escape"),
        N_("invalid \\uXXXX escape"),
        N_("unterminated string"),
        # csv
        N_("unexpected end of data"),
        N_("',' expected after '\"'"),
        N_("'\t' expected after '\"'"),
        N_("field larger than field limit (2000000)"),
        N_("new-line character seen in unquoted field - do you need to open the file in universal-newline mode?"),
        N_("new-line character seen in unquoted field - do you need to open the file with newline=''?"),
        # datetime
        N_("year 0 is out of range"),
        N_("month must be in 1..12"),
        N_("day is out of range for month"),
        N_("hour must be in 0..23"),
        N_("minute must be in 0..59"),
        N_("second must be in 0..59"),
    }
)


def phrase(said: str) -> str:
    """What a parser said, to stand inside a sentence: a Phrase of the catalogue where it is a known one."""
    # Whoever puts it in a sentence says the place.
    words = (said[:1].lower() + said[1:]).removesuffix(" at").removesuffix(" starting")
    # The pure Python parser adds the escape it stumbled over.
    bare, _, _ = words.partition(": ") if words.startswith("invalid") else (words, "", "")
    return Phrase(bare) if bare in _KNOWN else words
