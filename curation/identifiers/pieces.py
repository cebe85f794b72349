"""Values sent in pieces over several messages, by one speaker or by turns: 138 | 0000 | 1234, tudou | _771.

A piece is the one group of digits of a message. Pieces that follow one another within a few messages are tried
together; what they make, or what was asked for, says which type each of them is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curation.identifiers.checksums import luhn, resident_id_plausible
from curation.identifiers.kinds import (
    BANK_CARD,
    EMAIL,
    HANDLE,
    ID_NUMBER,
    PHONE,
    PLATE,
    QQ,
    SECRET,
    TRACKING,
    URL,
    WECHAT,
)
from curation.identifiers.lexicon import listed
from curation.identifiers.numbers import clusters
from curation.identifiers.page import FILLER, Candidate, Line, Page
from curation.identifiers.patterns import lazy

_REACH = 3  # messages from one piece to the next
_MOST = 6  # pieces of one value
_UNIT = lazy(
    r" ?(?:元|块|塊|蚊|万|萬|千|步|秒|次|人|分|位|米|年|月|点(?![0-9])|级|星|斤|度|条|个(?!数)|岁|楼"
    r"|号(?=[楼线店那])|栋|天|小时|票|张|单|公里|km|kg|cm|%|w(?![a-z])|:[0-9]|届|折|颗|把)"
)
_HINT = lazy(
    r"后面|後面|前面|前半|后半|前三位|前四位|前几位|剩下|中间|开头|接着|然后|连起来|拼起来|拼一起|拆|分开"
    r"|分(?:两|三|几)?[条段次]|段|再发|还有|没了|就这|加上|半截|半段|尾巴|结尾|末尾|收尾|开头是|两条|几条|三条"
)
_MOBILE = lazy(r"(?:86)?1[3-9][0-9]{9}")


@dataclass(frozen=True, slots=True)
class _Piece:
    index: int
    start: int
    end: int
    digits: str
    alone: float
    hinted: bool


def pieces(page: Page, index: int) -> Iterator[Candidate]:
    """The pieces of values that lie in line `index`."""
    yield from page.remember("pieces", _all).get(index, ())


def _all(page: Page) -> dict[int, list[Candidate]]:
    found: dict[int, list[Candidate]] = {}
    if len(page.lines) < 2:
        return found
    for at, one in [*_numbers(page), *_letters(page), *_addresses(page)]:
        found.setdefault(at, []).append(one)
    return found


def _piece(page: Page, index: int) -> _Piece | None:
    line = page.lines[index]
    if not line.numeric:
        return None
    # Single digits are words: 前三位, 两条.
    found = [one for one in clusters(line) if len(one[2]) > 1]
    if len(found) != 1:
        return None
    start, end, digits = found[0]
    if not 2 <= len(digits) <= 14 or _UNIT.match(line.low, end):
        return None
    if (
        _MOBILE.fullmatch(digits)
        or (start and line.low[start - 1] in "@._/")
        or _LETTERED.search(line.low, max(0, start - 5), start)
    ):
        return None
    before, after = line.low[start - 1 : start], line.low[end : end + 1]
    lettered = _DOCUMENT_LETTER.search(line.low, max(0, start - 3), start)
    if lettered:
        start = lettered.start()
        digits = lettered.group() + digits
        before = ""
    if (before.isascii() and before.isalpha()) or (after.isascii() and after.isalpha() and after != "x"):
        return None
    alone = line.share(start, end)
    hinted = _HINT.search(line.text) is not None
    cued = any(0 <= start - cue.end <= 4 for cue in line.cues)
    if alone < 0.35 and not hinted and not cued:
        return None
    if (alone < 0.2 and not cued) or (
        not hinted and _whole(digits, page.named(index, start, end), line.text[start:end])
    ):
        return None
    return _Piece(index, start, end, digits, alone, hinted)


_LETTERED = lazy(r"(?<![a-z])[a-z]{1,3} \Z")
_DOCUMENT_LETTER = lazy(r"(?<![a-z])[egdspchmt][a-hj-np-z]?\Z")


def _whole(digits: str, kind: str | None, text: str) -> bool:
    """Whether a number with its kind beside it is complete already."""
    if digits.startswith("0") and 10 <= len(digits) <= 12 and "-" in text:
        return True
    least = {PHONE: 7, QQ: 8, TRACKING: 10, BANK_CARD: 15, ID_NUMBER: 15, SECRET: 4}.get(kind or "", 99)
    return len(digits) >= least and not (kind == PHONE and _MOBILE_BEGUN.match(digits))


_MOBILE_BEGUN = lazy(r"1[3-9]")


def _numbers(page: Page) -> Iterator[tuple[int, Candidate]]:
    every = [piece for index in range(len(page.lines)) if (piece := _piece(page, index))]
    at = 0
    while at < len(every):
        run = [every[at]]
        while at + len(run) < len(every) and len(run) < _MOST and every[at + len(run)].index - run[-1].index <= _REACH:
            run.append(every[at + len(run)])
        for length in range(len(run), 1, -1):
            made = _made_of(page, run[:length])
            if made:
                kind, score = made
                for piece in run[:length]:
                    yield piece.index, Candidate(piece.start, piece.end, kind, score, f"pieces:{kind.lower()}")
                at += length - 1
                break
        at += 1


def _made_of(page: Page, run: Sequence[_Piece]) -> tuple[str, float] | None:
    """The type that the pieces make together, with a score."""
    digits = "".join(piece.digits for piece in run)
    count = len(digits)
    nearest, distance = _said(page, run[0], run[-1])
    alone = min(piece.alone for piece in run)
    hinted = any(piece.hinted for piece in run)
    apart = max(b.index - a.index for a, b in itertools.pairwise(run))
    clean = alone >= 0.6 or hinted
    if not digits.isdigit():
        return (ID_NUMBER, 0.86) if nearest == ID_NUMBER and 8 <= count <= 11 and digits[2:].isdigit() else None
    if count == 18 and resident_id_plausible(digits):
        return ID_NUMBER, 0.92 if nearest == ID_NUMBER or clean else 0.8
    if nearest == ID_NUMBER and count in (15, 17, 18):
        return ID_NUMBER, 0.87
    if _MOBILE.fullmatch(digits) and nearest not in (TRACKING, QQ, BANK_CARD):
        return PHONE, 0.9 if nearest == PHONE else 0.86 if clean else 0.7
    if nearest == BANK_CARD and 15 <= count <= 19:
        return BANK_CARD, 0.9 if luhn(digits) or clean else 0.8
    if 16 <= count <= 19 and luhn(digits) and digits.startswith(("62", "4", "5")) and nearest != TRACKING:
        return BANK_CARD, 0.87
    if nearest is None or (apart > 2 and not hinted):
        return None
    if nearest == WECHAT and 6 <= count <= 11 and digits[0] != "0" and QQ in _spoken_of(page, run[0].index):
        nearest = QQ  # 加个扣扣, 微信被封了: a WeChat id is never of digits alone
    ranges = {TRACKING: (8, 22), QQ: (5, 11), PHONE: (7, 13), SECRET: (4, 10), WECHAT: (6, 14), HANDLE: (6, 14)}
    low, high = ranges.get(nearest, (1, 0))
    if low <= count <= high and (alone >= 0.5 or hinted or distance == 0) and distance <= 2:
        return nearest, 0.88 if clean and nearest in (TRACKING, QQ, PHONE) else 0.75
    return None


def _spoken_of(page: Page, index: int) -> frozenset[str]:
    """The kinds spoken of in the five messages before."""
    return frozenset().union(*page.kinds[max(0, index - 5) : index])


def _said(page: Page, first: _Piece, last: _Piece) -> tuple[str | None, int]:
    """The kind spoken of last before the first piece (or in its line, or right after the last), and how far away."""
    kinds = (PHONE, ID_NUMBER, BANK_CARD, QQ, TRACKING, SECRET, WECHAT, HANDLE)
    line = page.lines[first.index]
    before = [cue for cue in line.cues if cue.end <= first.start and cue.kind in kinds]
    if before:
        return before[-1].kind, 0
    after = [cue for cue in line.cues if cue.kind in kinds]
    if after:
        return after[0].kind, 0
    for back in range(1, 6):
        if first.index - back < 0:
            break
        cues = [cue for cue in page.lines[first.index - back].cues if cue.kind in kinds]
        if cues:
            return cues[-1].kind, back - 1
    for at in range(first.index + 1, min(last.index + 2, len(page.lines))):
        cues = [cue for cue in page.lines[at].cues if cue.kind in kinds]
        if cues:
            return cues[0].kind, 1
    return None, 9


_SIGN = r"下划线|下横线|底线|横杠|杠|减号|点|艾特|圈a|井号|感叹号|空格|大写|小写|数字|字母"
_FRAGMENT = lazy(
    rf"(?:[a-z0-9_@.!#*+& -]{{1,20}}|{_SIGN}|[零〇一二三四五六七八九幺两洞拐勾]{{1,8}}"
    rf"|(?<=[a-z0-9 ])[\u3400-\u9fff](?=[a-z0-9 _]|$)|[\u3400-\u9fff]{{1,3}}(?:全拼|拼音)| )+"
)
_TALK = frozenset(
    listed(
        """
    ok okay hi hello yes no lol emo haha hhh hhhh hh 666 6 bye nice good well nb yyds xswl wtf omg cp up out
    in go so ? ! . .. ... 88 66 233 520 1314
    """
    )
)
_EDGE_LEAD = lazy(
    r"(?:[\u3400-\u9fff]{0,6}?(?:[前后]一?[半段截]|[前后]半[段截部]分?|开头|尾巴|结尾|剩下|剩余)(?:的|部分)?(?:是)?"
    r"|(?:后面|前面)(?:是)?|然后|接着|先|再)[: ]?"
)
_LETTER_KINDS = (WECHAT, HANDLE, SECRET, EMAIL, QQ)


def _fragment(line: Line) -> tuple[int, int] | None:
    """The range of a message that is nothing but part of an id."""
    low = line.low.rstrip()
    begin = len(low) - len(low.lstrip())
    if lead := _EDGE_LEAD.match(low, begin):
        begin = lead.end()
    if not low[begin:] or len(low) - begin > 24 or FILLER in low or low[begin:].strip() in _TALK:
        return None
    return (begin, len(low)) if _FRAGMENT.fullmatch(low, begin) else None


def _letters(page: Page) -> Iterator[tuple[int, Candidate]]:
    lines = page.lines
    taken = -1
    for index, line in enumerate(lines):
        if index <= taken:
            continue
        yield from _mail_or_link(page, index)
        first = _fragment(line)
        if first is None:
            continue
        run = [(index, first)]
        at = index + 1
        while at < len(lines) and at - run[-1][0] <= 2 and len(run) < _MOST:
            more = _fragment(lines[at])
            if more and (lines[at].speaker == line.speaker or at - run[-1][0] == 1):
                run.append((at, more))
            elif lines[at].cues or len(lines[at].text) > 6:
                break
            at += 1
        if len(run) < 2:
            continue
        if any(lines[i].low[a] == "@" and "." in lines[i].low for i, (a, _) in run):
            continue
        kind, hinted = _letter_kind(page, index)
        text = "".join(lines[i].low[a:b] for i, (a, b) in run)
        size = sum(c.isalnum() for c in text)
        if kind is None or size < 5 or not any("a" <= c <= "z" for c in text):
            continue
        telling = any(c.isdigit() or c in "_@#" for c in text) or re.search(_SIGN, text) is not None
        if not (telling or hinted):
            continue
        taken = run[-1][0]
        for i, (a, b) in run:
            yield i, Candidate(a, b, kind, 0.87 if hinted or telling else 0.7, f"pieces:{kind.lower()}")


def _letter_kind(page: Page, index: int) -> tuple[str | None, bool]:
    hinted = False
    for back in range(5):
        if index - back < 0:
            break
        line = page.lines[index - back]
        if not back:
            # In the same message only what leads into the piece: 微信号前半 mimi_.
            lead = _EDGE_LEAD.match(line.low)
            own = [cue.kind for cue in line.cues if cue.kind in _LETTER_KINDS and lead and cue.end <= lead.end()]
            if own:
                return ("WECHAT" if own[-1] == QQ else own[-1]), True
            continue
        hinted = hinted or re.search(r"拆|分开|分(?:两|三|几)?[条段次]|两条|三条|几条|一段", line.text) is not None
        cues = [cue.kind for cue in line.cues if cue.kind in _LETTER_KINDS]
        if cues and (back <= 2 or hinted):
            return ("WECHAT" if cues[-1] == QQ else cues[-1]), hinted
    return (WECHAT if hinted else None), hinted


_LAST_TOKEN = lazy(r"(?<![a-z0-9._+-])[a-z0-9._+-]{2,40}(?:@[a-z0-9.-]{0,20})?$")
_FIRST_DOMAIN = lazy(r"(?:@|艾特|圈a|\(at\)) ?[a-z0-9-]{2,30}(?:(?:\.| ?点 ?)[a-z]{2,6}){1,2}(?![a-z0-9])")
_REST_DOMAIN = lazy(r"\.?[a-z0-9-]{0,20}\.(?:com|cn|net|org|edu)(?:\.[a-z]{2})?(?![a-z0-9])")
_LINK_END = lazy(
    r"(?:https?://|www\.|(?<![a-z0-9@.])[a-z0-9-]{2,30}\.(?:com|cn|net|tv|cc|me|io)/)[a-z0-9./_?=&%#~:@+-]*$"
)
_PATH = lazy(r"[a-z0-9/_?=&%-][a-z0-9./_?=&%#~+-]{3,80}")


def _mail_or_link(page: Page, index: int) -> Iterator[tuple[int, Candidate]]:
    """An address whose second half is in one of the next messages."""
    line = page.lines[index]
    for at in range(index + 1, min(index + 3, len(page.lines))):
        later = page.lines[at].low
        head = _LAST_TOKEN.search(line.low.rstrip()) if line.low.isascii() or line.low[-1:].isascii() else None
        if head and (
            (tail := _FIRST_DOMAIN.match(later)) or ("@" in head.group() and (tail := _REST_DOMAIN.match(later)))
        ):
            yield index, Candidate(*head.span(), EMAIL, 0.9, "pieces:email")
            yield at, Candidate(*tail.span(), EMAIL, 0.9, "pieces:email")
            return
        if line.speaker != page.lines[at].speaker:
            continue
        link = _LINK_END.search(line.low.rstrip())
        path = _PATH.match(later) if link else None
        if link and path and not later.startswith(("http", "www.")):
            joined = link.group()[-1] in "/=-_?&" or _HINT.search(later) or _HINT.search(line.text) or "截" in later
            if joined and (
                any(c.isdigit() or c in "/=" for c in path.group())
                or any(c.isupper() for c in page.lines[at].text[: path.end()])
            ):
                yield index, Candidate(*link.span(), URL, 0.9, "pieces:url")
                yield at, Candidate(*path.span(), URL, 0.88, "pieces:url")
                return


_PLATE_HEAD = lazy(r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼] ?[·. ]?[a-hj-np-z]$")
_PLATE_TAIL = lazy(r"[·. ]?(?=[a-z0-9]*[0-9])[a-hj-np-z0-9]{5,6}(?![a-z0-9])")


def _addresses(page: Page) -> Iterator[tuple[int, Candidate]]:
    """A plate whose place and number come in two messages."""
    for index, line in enumerate(page.lines[:-1]):
        head = _PLATE_HEAD.search(line.low.rstrip())
        tail = _PLATE_TAIL.match(page.lines[index + 1].low) if head else None
        if head and tail:
            yield index, Candidate(*head.span(), PLATE, 0.87, "pieces:plate")
            yield index + 1, Candidate(*tail.span(), PLATE, 0.87, "pieces:plate")
