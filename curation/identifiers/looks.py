"""What a line looks like to the trained reader (`opinion`): the features of each of its characters, as short strings.

They are given in three layers, because most say the same of many characters: of the line, of stretches (words as the
name finder cuts them, segments between signs), and of single characters. Training flattens them, reading adds up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curation.folding import FILLER
from curation.identifiers.namefinder import WORD, Word
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import lazy

_DIGITS = "零〇○一二三四五六七八九幺两兩洞拐勾壹贰貳叁參肆伍陆陸柒捌玖十百"
_SIGNS = ' ,，。?？!:：“”"「」'
_OTHER_SIGNS = ".、;；！~～…—-_|/\\()（）[]【】'‘’『』《》"
_SEGMENT = lazy(r"[^ ,，。、;；:：!！?？~…“”\"「」]+")
_ASKS = lazy(r"[?？吗呢啥哪几]|多少|什么|甚麼|怎么|咋")
_NO_CUE = "-"
# How far, in characters or pieces: 0 beside, then by doubling steps.
_STEPS = (0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3)
_FAR = 4


@dataclass(frozen=True, slots=True)
class Looks:
    """Features of a line: of all of it, of `start..end` stretches, of each character."""

    line: tuple[str, ...]
    stretches: list[tuple[int, int, list[str]]]
    characters: list[list[str]]

    def flat(self) -> Iterator[list[str]]:
        """The features of each character, all layers together."""
        over: list[list[str]] = [[] for _ in self.characters]
        for start, end, features in self.stretches:
            for own in over[start:end]:
                own += features
        for of_stretches, own in zip(over, self.characters, strict=True):
            yield [*self.line, *of_stretches, *own]


def _step(distance: int) -> int:
    return _STEPS[distance] if distance < len(_STEPS) else _FAR


def _class(char: str) -> str:
    if "0" <= char <= "9":
        return "0"
    if "a" <= char <= "z":
        return "a"
    if char in _DIGITS:
        return "z"
    if char in _SIGNS:
        return char
    if char in _OTHER_SIGNS:
        return "-"
    if char == FILLER:
        return "F"
    return "c" if "\u3400" <= char <= "\u9fff" else "*"


def looks(page: Page, index: int, told: Sequence[Candidate] = (), around: tuple[str, ...] | None = None) -> Looks:
    """The features of line `index` of `page`, of which the rules have `told` so much; `around` are its `surroundings`
    where they are known already.
    """
    line = page.lines[index]
    low = line.low
    classes = "".join(map(_class, low))
    plain = "".join("0" if kind == "0" else char for char, kind in zip(low, classes, strict=True))
    characters = _characters(plain, classes)
    stretches = _words(line, plain, characters)
    stretches += _segments(low, classes, characters)
    _told(told, characters)
    around = surroundings(page, index) if around is None else around
    _cues(page, index, classes, characters, around[-1])
    return Looks(around, stretches, characters)


def surroundings(page: Page, index: int) -> tuple[str, ...]:
    """What the messages around say; the last is the kind that was spoken of last before this message."""
    line = page.lines[index]
    found = [f"len={_step(len(line.low) // 2)}"]
    for back in (1, 2, 3):
        if index >= back:
            found += [f"k{back}={kind}" for kind in sorted(page.kinds[index - back])]
    if index:
        before = page.lines[index - 1]
        found.append(f"pl={before.low[-2:]}")
        if before.speaker == line.speaker:
            found.append("same")
        if _ASKS.search(before.low):
            found += ["asked", *(f"asked={kind}" for kind in sorted(page.kinds[index - 1]))]
    if index + 1 < len(page.lines):
        found += [f"n1={kind}" for kind in sorted(page.kinds[index + 1])]
    spoken = next((min(page.kinds[index - b]) for b in range(1, min(index, 4) + 1) if page.kinds[index - b]), _NO_CUE)
    return (*found, f"k{spoken}")


def _characters(plain: str, classes: str) -> list[list[str]]:
    p, c = f"^^^^{plain}$$$$", f"^^^^{classes}$$$$"
    return [
        [
            f"c-2{p[i - 2]}",
            f"c-1{p[i - 1]}",
            f"c0{p[i]}",
            f"c1{p[i + 1]}",
            f"c2{p[i + 2]}",
            f"b-2{p[i - 2 : i]}",
            f"b-1{p[i - 1 : i + 1]}",
            f"b0{p[i : i + 2]}",
            f"b1{p[i + 1 : i + 3]}",
            f"t-3{p[i - 3 : i]}",
            f"t0{p[i - 1 : i + 2]}",
            f"s3{c[i - 1 : i + 2]}",
            f"s5{c[i - 2 : i + 3]}",
            f"sl{c[i - 4 : i]}",
            f"sr{c[i + 1 : i + 5]}",
        ]
        for i in range(4, len(plain) + 4)
    ]


def _words(line: Line, plain: str, characters: list[list[str]]) -> list[tuple[int, int, list[str]]]:
    words: list[Word] = list(line.words) or [(at, at + 1, WORD) for at in range(len(plain))]
    texts = ["^", "^", *(plain[a:b] for a, b, _ in words), "$", "$"]
    tags = ["-", *(tag for _, _, tag in words), "-"]
    found = []
    for number, (start, end, tag) in enumerate(words):
        w = texts[number : number + 5]
        found.append(
            (
                start,
                end,
                [
                    f"w0{w[2]}",
                    f"w-1{w[1]}",
                    f"w1{w[3]}",
                    f"w-2{w[0]}",
                    f"w2{w[4]}",
                    f"v-1{w[1]}|{w[2]}",
                    f"v0{w[2]}|{w[3]}",
                    f"v-2{w[0]}|{w[1]}",
                    f"g0{tag}",
                    f"g{tags[number]}{tag}{tags[number + 2]}",
                ],
            )
        )
        size = min(end - start, 4)
        for at in range(start, end):
            place = ("B" if at == start else "") + ("E" if at == end - 1 else "")
            characters[at].append(f"wp{tag}{place}{size}")
    return found


def _segments(low: str, classes: str, characters: list[list[str]]) -> list[tuple[int, int, list[str]]]:
    spans = [match.span() for match in _SEGMENT.finditer(low)]
    found = []
    for number, (start, end) in enumerate(spans):
        size = end - start
        own = [
            f"l{min(size, 8)}",
            f"h{''.join(dict.fromkeys(classes[start:end]))[:4]}",
            f"n{min(number, 3)}/{min(len(spans), 4)}",
        ]
        if size <= 4:
            own.append(f"x{low[start:end]}")
        before = low[max(spans[number - 1][0], spans[number - 1][1] - 3) : spans[number - 1][1]] if number else "^"
        own.append(f"xp{before}")
        if number + 1 < len(spans):
            own.append(f"xn{low[spans[number + 1][0] : spans[number + 1][1]][:2]}")
        found.append((start, end, own))
        for at in range(start, end):
            characters[at] += (f"xl{min(at - start, 4)}", f"xr{min(end - 1 - at, 4)}")
    return found


def _told(told: Sequence[Candidate], characters: list[list[str]]) -> None:
    """What the rules take each character for, and how surely."""
    for one in sorted(set(told), key=lambda c: (c.start, c.end, c.type, c.rule)):
        sure = int(one.score * 10)
        for at in range(one.start, one.end):
            characters[at] += (f"r{one.type}", f"r{one.type}{sure}", f"R{one.rule}")
        characters[one.start].append(f"rB{one.type}")
        characters[one.end - 1].append(f"rE{one.type}")
        if one.start:
            characters[one.start - 1].append(f"rb{one.type}")
        if one.end < len(characters):
            characters[one.end].append(f"re{one.type}")


def _cues(page: Page, index: int, classes: str, characters: list[list[str]], spoken: str) -> None:
    line = page.lines[index]
    low, cues = line.low, line.cues
    done = 0  # cues that end here or before
    for at, own in enumerate(characters):
        while done < len(cues) and cues[done].end <= at:
            done += 1
        if done:
            cue = cues[done - 1]
            near = _step(at - cue.end)
            own += (
                f"q{cue.kind}",
                f"q{cue.kind}{near}",
                f"q{cue.kind}{near}{classes[at]}",
                f"qt{low[cue.end : min(at, cue.end + 2)]}",
            )
        else:
            own += (f"q{_NO_CUE}", f"{spoken}+", f"{spoken}{classes[at]}")
        if done < len(cues):
            if cues[done].start <= at:
                own.append("qin")
                ahead = done + 1
            else:
                ahead = done
            if ahead < len(cues):
                own.append(f"qa{cues[ahead].kind}{_step(cues[ahead].start - at)}")
