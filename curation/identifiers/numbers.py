"""Runs of digits as people write them: in groups, with anything between, several numbers one after the other.

A reading of a line (see `Line.readings`) is cut into *groups* of adjacent digits; groups with a gap that
people put inside numbers belong to one *chain*; a number is a window of whole groups. So eleven digits are
never cut out of a longer run, and three numbers in a row stay three: the windows compete, and the best set
of them wins (see `resolve`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from curation.identifiers.page import Line
from curation.identifiers.patterns import lazy
from curation.identifiers.sounds import NOTHING

LONGEST = 21  # digits in a window

_GROUP = lazy(r"[0-9]+")
_EMOJI = "\u2190-\u2bff\u3030\U0001f000-\U0001faff"
# What stands inside a number without meaning anything: at most a few signs or one small word for a sign.
_SIGN = rf"[ \t\n._,*/、。·•⋯—–~=:|{_EMOJI}()-]"
_LIGHT = lazy(rf"{NOTHING}{{0,5}}{_SIGN}{{0,4}}| ?[.·…]{{2,9}} ?| ?(?:点|杠|横杠|减号|空格|dot) ?")
# Words said between the halves of one number.
_HEAVY = lazy(
    rf"{_SIGN}{{0,4}}(?:然后|后面|后头|再加上?|再来|再|接着|中间|呃|嗯|额|啊|那个|那啥|完了|还有|最后|然後){{1,2}}(?:是)?{_SIGN}{{0,4}}"
    rf"|{_SIGN}{{0,2}}\([^()0-9]{{1,4}}\){_SIGN}{{0,2}}"
)
_LONGEST_GAP = 14
_TIGHT = frozenset(("-", ".", "_", ":", "·", "/"))


@dataclass(frozen=True, slots=True)
class Window:
    """Whole groups of one chain. `digits` is what they read as, `sizes` the lengths of the groups, `heavy`
    whether words stand between them, `joints` the text between them, `glued` whether a letter touches
    it.
    """

    start: int
    end: int
    digits: str
    sizes: tuple[int, ...]
    joints: tuple[str, ...]
    heavy: bool
    glued: bool
    plain: bool


def windows(line: Line) -> Sequence[Window]:
    """Every window of at least four digits of every reading of `line`, at most `LONGEST` digits long."""
    return line.remember("windows", lambda: tuple(_every(line)))


def _every(line: Line) -> Iterator[Window]:
    seen: set[tuple[int, int, str]] = set()
    for reading in line.readings:
        for window in _windows(line, reading):
            key = (window.start, window.end, window.digits)
            if key not in seen:
                seen.add(key)
                yield window
    yield from _counted(line)


# Digits that are counted, as they are read out: 136两个8四个520.
_COUNTED = lazy(r"(?<![0-9])(?:(?:[0-9](?!个)|[2-9]个[0-9](?!个))[ ,.、-]?){4,21}+(?![0-9个])")
_ONE_COUNTED = lazy(r"([2-9])个([0-9])")


def _counted(line: Line) -> Iterator[Window]:
    if "个" not in line.spoken:
        return
    for match in _COUNTED.finditer(line.spoken):
        said = match.group().rstrip(" ,.、-")
        if "个" not in said:
            continue
        plain = _ONE_COUNTED.sub(lambda one: one[2] * int(one[1]), said)
        digits = "".join(c for c in plain if c.isdigit())
        if 7 <= len(digits) <= LONGEST:
            start, end = match.start(), match.start() + len(said)
            yield Window(start, end, digits, (len(digits),), (), False, _glued(line.low, start, end), False)


def _windows(line: Line, reading: str) -> Iterator[Window]:
    groups = [m.span() for m in _GROUP.finditer(reading)]
    gaps = [_gap(reading, left[1], right[0]) for left, right in pairwise(groups)]
    for first, (start, stop) in enumerate(groups):
        if stop - start > LONGEST or not _opens(reading, groups, gaps, first):
            continue
        digits = ""
        sizes: list[int] = []
        joints: list[str] = []
        heavy = False
        for last in range(first, len(groups)):
            if last > first:
                gap = gaps[last - 1]
                if gap == 0:
                    break
                heavy = heavy or gap == 2
                joints.append(reading[groups[last - 1][1] : groups[last][0]])
            left, right = groups[last]
            sizes.append(right - left)
            if len(digits) + right - left > LONGEST:
                break
            digits += reading[left:right]
            while reading[right : right + 1] == NOTHING:
                right += 1
            if len(digits) >= 4 and _closes(reading, groups, gaps, last):
                yield Window(
                    start,
                    right,
                    digits,
                    tuple(sizes),
                    tuple(joints),
                    heavy,
                    _glued(line.low, start, right),
                    line.text[start:right].isascii(),
                )


def clusters(line: Line) -> list[tuple[int, int, str]]:
    """The chains of a line with Chinese digits read, as (start, end, digits): numbers far apart are several."""
    found: list[tuple[int, int, str]] = []
    reading = line.spoken
    last = -1
    for match in _GROUP.finditer(reading):
        start, end = match.span()
        if found and last >= 0 and _gap(reading, last, start):
            found[-1] = (found[-1][0], end, found[-1][2] + match.group())
        else:
            found.append((start, end, match.group()))
        last = end
    return found


def _gap(reading: str, start: int, end: int) -> int:
    """0 what separates numbers, 1 signs inside one, 2 words inside one."""
    if end - start > _LONGEST_GAP:
        return 0
    if _LIGHT.fullmatch(reading, start, end):
        return 1
    return 2 if _HEAVY.fullmatch(reading, start, end) else 0


def _tight(reading: str, groups: list[tuple[int, int]], gaps: list[int], gap: int) -> bool:
    """Whether the groups on both sides of gap number `gap` read as one unbroken thing: 3.14159, 12-5-99, 1
    2 3."""
    left, right = groups[gap], groups[gap + 1]
    sizes = (left[1] - left[0], right[1] - right[0])
    if gaps[gap] != 1:
        return False
    if sizes == (1, 1):
        return True
    return reading[left[1] : right[0]] in _TIGHT and min(sizes) < 7


def _opens(reading: str, groups: list[tuple[int, int]], gaps: list[int], first: int) -> bool:
    return first == 0 or not _tight(reading, groups, gaps, first - 1)


def _closes(reading: str, groups: list[tuple[int, int]], gaps: list[int], last: int) -> bool:
    return last == len(groups) - 1 or not _tight(reading, groups, gaps, last)


# Letters that may touch a number without being part of it.
_LEAD = lazy(r"(?:tel|call|phone|mobile|qq|q|vx|wx|v|wechat|whatsapp|id|no)\Z")


def _glued(low: str, start: int, end: int) -> bool:
    """Whether a Latin letter, @ or _ touches the number that is no cue word."""
    after = low[end : end + 1]
    if after and after in "abcdefghijklmnopqrstuvwxyz_@":
        return True
    before = low[start - 1 : start]
    if not before or before not in "abcdefghijklmnopqrstuvwxyz_@":
        return False
    head = start
    while head > max(0, start - 12) and low[head - 1] in "abcdefghijklmnopqrstuvwxyz_@":
        head -= 1
    word = low[head:start]
    return not (match := _LEAD.search(word)) or match.start() > 0
