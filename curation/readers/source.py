"""An open input file as text: lines or pieces, bounded, in the encoding that was found."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from curation.errors import N_
from curation.model import ReadWarning
from curation.readers import encodings
from curation.readers.files import open_regular, unreadable
from curation.readers.limits import MAX_RECORD, RAW_KEPT
from curation.wording import filled


class Overlong(str):
    """The beginning of a line that is longer than MAX_RECORD bytes; the rest was skipped."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Lines without their `\\n`, the number of the first, and whether rarer characters need a closer look."""

    first: int
    lines: list[str]
    odd: bool


class Source:
    """A file opened for reading and known to be valid in one encoding, to be used in a `with` statement.

    Raises BadInput on opening for anything that is refused whole (see `files` and `encodings`).
    """

    def __init__(self, path: Path, encoding: str | None = None) -> None:
        self.path = path
        self.name = str(path)
        self._descriptor = open_regular(path)
        try:
            self.encoding = encodings.detect(self._descriptor, path, encoding)
        except OSError as error:
            os.close(self._descriptor)
            raise unreadable(path, error) from None
        except BaseException:
            os.close(self._descriptor)
            raise

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    @property
    def ends_in_newline(self) -> bool:
        """Whether the last byte ends a line. True for encodings other than UTF-8 too, when the text ends so."""
        if self.encoding.codec != "utf-8":
            ending = ""
            for text in self.pieces():
                ending = text[-1:] or ending
            return ending == "\n"
        os.lseek(self._descriptor, -1, os.SEEK_END)
        return os.read(self._descriptor, 1) == b"\n"

    def warnings(self) -> list[ReadWarning]:
        """What there is to say about how the file is read."""
        if not self.encoding.warning:
            return []
        name = {"transcoded_utf16": self.encoding.codec.upper(), "transcoded_gb18030": "GB18030"}
        template = N_("not UTF-8: read as {encoding}; look at a few dialogues before going on")
        params = {"encoding": name[self.encoding.warning]}
        return [ReadWarning(self.name, 1, self.encoding.warning, filled(template, params), template, params)]

    def pieces(self) -> Iterator[str]:
        """The text in pieces that end anywhere."""
        return encodings.decoded(self._descriptor, self.encoding)

    def head(self, characters: int = 65_536) -> str:
        """The first `characters` of the text."""
        text = ""
        for piece in self.pieces():
            text += piece
            if len(text) >= characters:
                break
        return text[:characters]

    def last_line(self) -> str:
        """The text after the last `\\n`, or the beginning of it when it is overlong."""
        if self.encoding.codec == "utf-8":
            size = os.fstat(self._descriptor).st_size
            start = max(self.encoding.mark, size - MAX_RECORD - 1)
            os.lseek(self._descriptor, start, os.SEEK_SET)
            tail = b""
            while piece := os.read(self._descriptor, MAX_RECORD + 1):
                tail += piece
            cut = tail.rfind(b"\n")
            if cut < 0 and start > self.encoding.mark:
                return Overlong(tail[:RAW_KEPT].decode("utf-8", "ignore"))
            return tail[cut + 1 :].decode()
        last = ""
        for block in self.blocks():
            last = block.lines[-1]
        return last

    def blocks(self) -> Iterator[Block]:
        """The lines, split on `\\n` alone, in blocks. Memory stays within a few MAX_RECORD however long a line is."""
        number = 1
        held: list[bytes] = []
        size = 0
        skipping = False
        for piece in self._utf8():
            start = 0
            while True:
                end = piece.find(b"\n", start)
                if not skipping and size + (len(piece) if end < 0 else end) - start > MAX_RECORD:
                    skipping = True
                if end < 0 or not skipping:
                    break
                yield Block(number, [_overlong([*held, piece[start:end]])], True)
                number += 1
                held, size, skipping, start = [], 0, False, end + 1
            if skipping or end < 0:
                if not skipping or size <= RAW_KEPT:
                    held.append(piece[start:])
                    size += len(piece) - start
                continue
            cut = piece.rfind(b"\n")
            held.append(piece[start:cut])
            block = _block(number, b"".join(held))
            number += len(block.lines)
            held, size = [piece[cut + 1 :]], len(piece) - cut - 1
            yield block
        if skipping:
            yield Block(number, [_overlong(held)], True)
        elif size:
            yield _block(number, b"".join(held))

    def _utf8(self) -> Iterator[bytes]:
        if self.encoding.codec == "utf-8":
            return encodings.chunks(self._descriptor, self.encoding.mark)
        return (text.encode() for text in self.pieces())


def _overlong(held: list[bytes]) -> Overlong:
    return Overlong(b"".join(held)[: RAW_KEPT * 3].decode("utf-8", "ignore")[:RAW_KEPT])


def _block(number: int, data: bytes) -> Block:
    # What Python calls printable and we call odd. Single bytes and characters are found at memory speed, so a whole
    # block is cleared for almost nothing: CC leads combining marks, F3 tags and selectors.
    text = data.decode()
    odd = b"\xcc" in data or b"\xf3" in data or "\ufffd" in text or "\ufeff" in text
    return Block(number, text.split("\n"), odd)
