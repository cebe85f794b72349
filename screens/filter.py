"""The backstop behind the display boundary: no control character in a painted line reaches the terminal."""

from __future__ import annotations

import re

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_FOREIGN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def _in_its_place(match: re.Match[str]) -> str:
    return "?" * cell_len(match.group())


class ForeignBytes(LineFilter):
    """Takes escape, C0, C1 and direction characters and lone surrogates out of every line, keeping its width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments without them; the very same list when there are none."""
        if not any(_FOREIGN.search(segment.text) for segment in segments if not segment.control):
            return segments
        return [
            segment
            if segment.control
            else Segment(_FOREIGN.sub(_in_its_place, segment.text), segment.style, segment.control)
            for segment in segments
        ]
