"""A JSON array of records, read element by element: generic dialogues, or SI-Bench's own file."""

from __future__ import annotations

import json
from collections.abc import Iterator

from curation.errors import N_, BadInput, Phrase
from curation.model import Reading
from curation.readers.limits import MAX_RECORD
from curation.readers.phrases import phrase
from curation.readers.records import Reader
from curation.readers.source import Source

_SPACE = " \t\r\n"
# Finds where an element ends; what is in it is judged later, so numbers of any size pass here.
_scan = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).scan_once  # type: ignore[attr-defined]


def read(source: Source, reader: Reader, *, sibench: bool = False) -> Iterator[Reading]:
    """The dialogues and refusals of `source`, in order.

    An array is one document: when it does not hold together to its end the file is refused whole, before the first
    dialogue. So it is walked twice. Raises BadInput (`truncated_file`, `json_syntax`, `too_deep`, `empty_file`).
    """
    count = 0
    for _ in elements(source):
        count += 1
    if not count:
        raise BadInput(N_("{file}: an empty array; there is nothing to read"), code="empty_file", file=source.name)
    for line, text in elements(source):
        reading = reader.record(text, line, sibench=sibench)
        if reading is not None:
            yield reading


def elements(source: Source) -> Iterator[tuple[int, str]]:
    """Line and text of each element of the top-level array; a file that is one object counts as an array of it."""
    text = _Window(source)
    opening = text.next_visible()
    if opening == "{":
        yield text.line, text.value()
    elif opening == "[":
        text.skip()
        if text.next_visible() != "]":
            while True:
                text.next_visible()
                yield text.line, text.value()
                if text.next_visible() != ",":
                    break
                text.skip()
        if text.next_visible() != "]":
            raise text.broken(Phrase(N_("a comma or ] is missing")))
        text.skip()
    else:
        raise text.broken(Phrase(N_("no array and no object")))
    if text.next_visible():
        raise text.broken(Phrase(N_("text after the end of the array")))


class _Window:
    """The part of the text that is being looked at, filled up as needed."""

    def __init__(self, source: Source) -> None:
        self._pieces = source.pieces()
        self._file = source.name
        self._text = ""
        self._at = 0
        self._done = False
        self.line = 1

    def next_visible(self) -> str:
        """The next character that is no white space, not yet taken; empty at the end."""
        while True:
            rest = self._text[self._at : self._at + 4096]
            blank = len(rest) - len(rest.lstrip(_SPACE))
            self._take(blank)
            if blank < len(rest):
                return self._text[self._at]
            if self._at >= len(self._text) and not self._more():
                return ""

    def skip(self) -> None:
        """Take one character."""
        self._take(1)

    def value(self) -> str:
        """Take one JSON value and return its text."""
        while True:
            try:
                _, end = _scan(self._text, self._at)
            except (json.JSONDecodeError, StopIteration) as error:
                if self._too_long():
                    raise self._overlong() from None
                if not self._more():
                    absent = Phrase(N_("a value is missing"))
                    raise self.broken(
                        phrase(error.msg) if isinstance(error, json.JSONDecodeError) else absent
                    ) from None
                continue
            except RecursionError:
                raise self.broken(Phrase(N_("objects and lists nested too deep")), "too_deep") from None
            # A number may go on in the next piece.
            if end < len(self._text) or not self._more():
                text = self._text[self._at : end]
                if self._too_long(end):
                    raise self._overlong()
                self._take(end - self._at)
                return text

    def broken(self, what: str, code: str = "json_syntax") -> BadInput:
        """The refusal of the whole file, at the present place."""
        if code == "json_syntax" and self._done and self._at_end(what):
            return BadInput(
                N_("{file}:{line}: the array is cut off at the end of the file; copy it again. Nothing was read"),
                code="truncated_file",
                file=self._file,
                line=self.line,
            )
        return BadInput(
            N_("{file}:{line}: the JSON array cannot be read ({what}); correct it. Nothing was read"),
            code=code,
            file=self._file,
            line=self.line,
            what=what,
        )

    def _overlong(self) -> BadInput:
        return self.broken(Phrase(N_("a record longer than 2,000,000 bytes")), "line_too_long")

    def _at_end(self, what: str) -> bool:
        from curation.readers.strict import cut_off

        rest = self._text[self._at :]
        return not rest or cut_off(rest)

    def _too_long(self, end: int | None = None) -> bool:
        stop = len(self._text) if end is None else end
        return stop - self._at > MAX_RECORD // 4 and len(self._text[self._at : stop].encode()) > MAX_RECORD

    def _take(self, count: int) -> None:
        self.line += self._text.count("\n", self._at, self._at + count)
        self._at += count

    def _more(self) -> bool:
        piece = next(self._pieces, None)
        if piece is None:
            self._done = True
            return False
        self._text = self._text[self._at :] + piece
        self._at = 0
        return True
