"""Which encoding a file is in, decided over the whole file before a single record leaves it.

UTF-8, strictly, with or without a byte order mark. UTF-16 only with a mark. GB18030 when the file is no UTF-8, all of
it decodes strictly, and what comes out is everyday Chinese. Nothing else is guessed: the file is refused with a hint.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curation.errors import N_, BadInput, Phrase, UsageError
from curation.readers.limits import CHUNK

# The marks, longest first: that of UTF-32 little-endian begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# How files begin that are no text at all.
_MAGIC = (
    (b"PK\x03\x04", "zip"),
    (b"\x1f\x8b", "gzip"),
    (b"SQLite format 3\0", "SQLite"),
    (b"PAR1", "Parquet"),
    (b"%PDF-", "PDF"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\xd0\xcf\x11\xe0", "Office"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ", "xz"),
    (b"BZh9", "bzip2"),
)
_COMMON_SHARE = 0.85


@dataclass(frozen=True, slots=True)
class Encoding:
    """How to read a file: the codec's name, the bytes of mark to skip, and the warning this calls for, if any."""

    codec: str
    mark: int = 0
    warning: str = ""


def chunks(descriptor: int, start: int = 0) -> Iterator[bytes]:
    """The bytes of the file from `start`, in pieces of at most CHUNK bytes."""
    os.lseek(descriptor, start, os.SEEK_SET)
    while piece := os.read(descriptor, CHUNK):
        yield piece


def detect(descriptor: int, path: Path, forced: str | None = None) -> Encoding:
    """The encoding of the whole open file; `forced` names the only one to try.

    Raises BadInput: `empty_file`, `not_text`, `encoding_unknown`, `encoding_unsupported`, `encoding_not_utf8`,
    `truncated_file`. Raises UsageError for a `forced` name that is no text encoding.
    """
    head = next(chunks(descriptor), b"")
    if not head:
        raise _refusal(path, "empty_file", N_("{file}: is empty; there is nothing to read"))
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            raise _refusal(path, "not_text", N_("{file}: is a {kind} file, not text; unpack or convert it"), kind=kind)
    codec, mark = next(((name, len(bom)) for bom, name in _MARKS if head.startswith(bom)), ("utf-8", 0))
    if forced is not None:
        wanted = _named(forced)
        # A mark that says the same as the caller is no text; any other mark is left to fail or not on its own.
        same = wanted == codec or (wanted, codec) in {("utf-16", "utf-16-le"), ("utf-16", "utf-16-be")}
        encoding = Encoding(codec if same else wanted, mark if same else 0)
    elif codec == "utf-32":
        raise _refusal(path, "encoding_unsupported", N_("{file}: is UTF-32, which is not read; save it as UTF-8"))
    else:
        encoding = Encoding(codec, mark, "transcoded_utf16" if codec.startswith("utf-16") else "")
    if forced is None and not mark and 0 in head:
        _refuse_binary(path, head)
    fault = _first_fault(descriptor, encoding)
    if fault is None:
        if not _anything_visible(descriptor, encoding):
            raise _refusal(path, "empty_file", N_("{file}: holds blank lines only; there is nothing to read"))
        return encoding
    if fault.at_end:
        raise _truncated(path, fault)
    if forced is None and encoding.codec == "utf-8" and not mark and _plausible_gb18030(descriptor, path):
        return Encoding("gb18030", 0, "transcoded_gb18030")
    raise _refusal(
        path,
        "encoding_not_utf8" if encoding.codec == "utf-8" else "encoding_broken",
        N_("{file}:{line}: not valid {codec} at byte {offset} ({hint}); save it as UTF-8 or name it with --encoding"),
        line=fault.line,
        codec=encoding.codec.upper(),
        offset=fault.offset,
        hint=_hint(descriptor, fault),
    )


@dataclass(frozen=True, slots=True)
class _Fault:
    offset: int
    line: int
    at_end: bool


def _first_fault(descriptor: int, encoding: Encoding) -> _Fault | None:
    """Where the file stops being valid in `encoding`, or None. Reads it once, keeping nothing."""
    decoder = codecs.getincrementaldecoder(encoding.codec)("strict")
    offset, lines = encoding.mark, 0
    pending = b""
    for piece in chunks(descriptor, encoding.mark):
        if not pending and encoding.codec == "utf-8" and piece.isascii():
            offset += len(piece)
            lines += piece.count(b"\n")
            continue
        try:
            decoder.decode(piece)
        except UnicodeError as error:
            held = len(pending)
            start = max(getattr(error, "start", 0) - held, 0)
            line = lines + piece.count(b"\n", 0, start) + 1
            at = offset + getattr(error, "start", 0) - held
            return _Fault(max(at, 0), line, False)
        state = decoder.getstate()[0]
        pending = state if isinstance(state, bytes) else b""
        offset += len(piece)
        lines += piece.count(b"\n")
    try:
        decoder.decode(b"", final=True)
    except UnicodeError:
        return _Fault(offset - len(pending), lines + 1, True)
    return None


def decoded(descriptor: int, encoding: Encoding) -> Iterator[str]:
    """The text of the file in pieces, decoded strictly; pieces end anywhere."""
    decoder = codecs.getincrementaldecoder(encoding.codec)("strict")
    for piece in chunks(descriptor, encoding.mark):
        yield decoder.decode(piece)
    if rest := decoder.decode(b"", final=True):
        yield rest


def _anything_visible(descriptor: int, encoding: Encoding) -> bool:
    return any(text.strip(" \t\r\n\ufeff") for text in decoded(descriptor, encoding))


def _plausible_gb18030(descriptor: int, path: Path) -> bool:
    """Whether all of the file is strict GB18030 that reads as everyday Chinese.

    Everyday means GB 2312's first level (3,755 characters by frequency) and its symbols: UTF-8 or Big5 read as GB18030
    gives mostly characters outside it. A line that is valid UTF-8 and not plausible GB makes the file a mixture.
    Raises BadInput `truncated_file` when the last character alone is cut.
    """
    total = common = line_number = 0
    lone = b""
    for piece in _whole_lines(chunks(descriptor)):
        for line in piece:
            line_number += 1
            if line.isascii():
                continue
            lone = line
            try:
                text = line.decode("gb18030")
            except UnicodeDecodeError as error:
                return False if error.end < len(line) or "incomplete" not in error.reason else _cut(path, total, common)
            wide, usual = _common(text)
            if usual < _COMMON_SHARE * wide and _is_utf8(line):
                return False
            total += wide
            common += usual
    return bool(lone) and total > 0 and common >= _COMMON_SHARE * total


def _cut(path: Path, total: int, common: int) -> bool:
    """A last line that ends inside a character: cut off when the rest was Chinese, else no GB18030 at all."""
    if total and common >= _COMMON_SHARE * total:
        raise _truncated(path, _Fault(0, 0, True))
    return False


def _whole_lines(pieces: Iterator[bytes]) -> Iterator[list[bytes]]:
    """The lines of `pieces`. One line may be as long as the file: this runs only on files already found odd, and
    a line without an end is handed on in parts of 4 MB at most, which is still a fair sample of its characters."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield lines
        if len(rest) > 4_000_000:
            yield [rest[: rest.rfind(b"\x20") + 1 or len(rest)]]
            rest = rest[rest.rfind(b"\x20") + 1 :] if b"\x20" in rest else b""
    if rest:
        yield [rest]


def _common(text: str) -> tuple[int, int]:
    """How many characters are not ASCII, and how many of those are level 1 or symbols of GB 2312."""
    wide = [c for c in text if ord(c) > 0x7F]
    raw = [c.encode("gb18030") for c in wide]
    usual = sum(len(b) == 2 and (0xA1 <= b[0] <= 0xA9 or 0xB0 <= b[0] <= 0xD7) and b[1] >= 0xA1 for b in raw)
    return len(wide), usual


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _hint(descriptor: int, fault: _Fault) -> str:
    """What the bytes around the fault look like, for a person."""
    os.lseek(descriptor, fault.offset, os.SEEK_SET)
    near = os.read(descriptor, 6)
    if len(near) == 6 and near[0] == near[3] == 0xED and 0xA0 <= near[1] <= 0xAF and 0xB0 <= near[4] <= 0xBF:
        return Phrase(N_("CESU-8: emoji as two halves, as some databases write them; export again as UTF-8"))
    if fault.line > 1:
        return Phrase(N_("perhaps two exports joined; the lines before are valid"))
    return Phrase(N_("perhaps gb18030 or big5hkscs"))


def _refuse_binary(path: Path, head: bytes) -> None:
    """Refuse a file whose NUL bytes say it is UTF-16 without a mark, or no text. A stray NUL is left to the record."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    pairs = len(head) // 2
    if pairs >= 2 and max(even, odd) > 0.2 * pairs and min(even, odd) < 0.1 * max(even, odd):
        codec = "utf-16-le" if odd > even else "utf-16-be"
        raise _refusal(
            path,
            "encoding_unknown",
            N_("{file}: not UTF-8 (NUL bytes as in UTF-16 without a mark); try --encoding {codec}"),
            codec=codec,
        )
    if even + odd > 0.05 * len(head) or not _is_utf8_so_far(head):
        raise _refusal(path, "not_text", N_("{file}: is no text (NUL bytes all over); was it copied whole?"))


def _is_utf8_so_far(head: bytes) -> bool:
    try:
        codecs.utf_8_decode(head, "strict", False)
    except UnicodeDecodeError:
        return False
    return True


def _named(name: str) -> str:
    """The codec that `name` stands for; GBK and GB2312 widen to GB18030, which holds them."""
    try:
        info = codecs.lookup(name)
        "".encode(info.name)
    except (LookupError, ValueError):
        raise UsageError(N_("no text encoding is called {name}; try utf-8 or gb18030"), name=name) from None
    if info.name in ("gbk", "gb2312"):
        return "gb18030"
    return "utf-8" if info.name == "utf-8-sig" else info.name


def _truncated(path: Path, fault: _Fault) -> BadInput:
    return _refusal(
        path,
        "truncated_file",
        N_("{file}: cut off inside a character at the end of the file; copy it again. Nothing was read"),
        line=fault.line,
    )


def _refusal(path: Path, code: str, template: str, **params: object) -> BadInput:
    return BadInput(template, code=code, file=str(path), **params)
