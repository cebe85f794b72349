"""Addresses, from the province down to the room: chains of named parts and numbered parts, and what points at one.

A line is cut into *parts*: 西湖区 and 文三路 are named, 120号 and 3幢 are numbered. Parts that follow one another make
a chain, and a chain is an address when its parts say enough together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from curation.identifiers.kinds import ADDRESS, SECRET
from curation.identifiers.left import begin, own_name
from curation.identifiers.lexicon import Vocabulary, listed, words
from curation.identifiers.namefinder import LOC
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import Pattern, either, gated, lazy

_DIGITS = "0-9"
_CN = "一二三四五六七八九十百零〇两"
_NUMBER = (
    rf"(?:[甲乙丙丁]?(?<![{_DIGITS}])[{_DIGITS}]{{1,5}}(?:[-/][{_DIGITS}]{{1,4}}){{0,3}}[A-Za-z]?"
    rf"|(?<![{_CN}])[{_CN}]{{1,5}}|(?<![A-Za-z])[A-Za-z][{_DIGITS}]{{0,3}})"
)
_NUMBERED = (
    r"号码头|号院|號院|号楼|號樓|号门|号店|号铺|号|號|弄|栋|棟|幢|座|楼|樓|层|層|单元|單元|室|房|期|区|區|组|組"
    r"|舍|门|库|户|戶|巷|村|队|大院|院"
)
_ADMIN = (
    r"特别行政区|自治[区州县旗]|街道|新区|开发区|高新区|省|市|自治州|州|区|區|县|縣|旗|镇|鎮|乡|鄉|社区"
    r"|自然村|行政村|村|屯|寨|苏木"
)
_ROAD = (
    r"(?:大道|大街|公路|胡同|路|街|巷|弄|道|里)(?:[东西南北中东][一二三四五六七八九]?段"
    r"|[东西南北中](?=[0-9一二三四五六七八九十与與和跟,，、 ]|路口|$)|[一二三四五六七八九十]段)?"
)
_PLACE = (
    r"小区|花园|花苑|家园|公寓|大厦|大廈|商务楼|写字楼|综合楼|广场|廣場|国际|豪庭|名苑|雅苑|华庭|嘉园|新苑"
    r"|新城|新村|家属院|宿舍|公馆|别墅|豪城|底商|明珠|天地|酒店|宾馆|饭店"
    r"|水库|停车场|车库|仓库|市场|码头|校区|工业园|产业园|科技园|金融港|软件园|物流园|古城|中心|大楼|江南"
    r"|门第|山庄|庄园|别院|度假村|养老院|疗养院|农场|林场|古镇|老街|创业园|软件谷|科技城|传达室|门卫室"
    r"|快递柜|菜鸟柜|丰巢|菜鸟驿站|驿站"
    r"|(?:苑|园|園|城|邦|府|庭|湾|灣|郡|坊|居|轩|阁|墅|岸|院|港|邨|坪|岛|堡|堂|楼(?=[0-9])|厝|塘|墩|坝)(?![东西南北中]?(?:路|街|巷|大道|大街))"
)
_PART = gated(
    rf"(?P<numbered>{_NUMBER} ?(?:{_NUMBERED})(?:附[{_DIGITS}]{{1,3}}号)?"
    rf"(?:之(?:[{_CN}]{{1,2}}|[{_DIGITS}]{{1,2}}(?![{_DIGITS}])))?)"
    rf"|(?P<dashed>(?<![{_DIGITS}A-Za-z-])[{_DIGITS}]{{1,3}}(?:-[{_DIGITS}]{{1,4}}){{1,3}}(?![{_DIGITS}A-Za-z-]))"
    rf"|(?P<road>{_ROAD})|(?P<place>{_PLACE})|(?P<admin>{_ADMIN})"
)
_TRIGGER = gated(
    r"[滩洲桥门教庄墅厝坝岸堡轩阁港塘墩岛坪堂居邦路街巷弄道区區县縣镇鎮乡鄉村栋棟幢座楼樓舍苑园園城府庭湾灣郡坊邨站号號室厦廈广库场]"
    r"|家园|公寓|小区"
    r"|酒店|宾馆|宿舍|中心|市场|院|[0-9]-[0-9]|[0-9]{3}"
)
_ROOM = lazy(
    rf" ?(?:[东西南北中主副A-Z][塔座翼楼馆])? ?(?:[{_DIGITS}]{{1,2}}[A-H](?![A-Za-z0-9])|[A-Za-z]?[{_DIGITS}]{{3,4}}(?:室|房"
    rf"|号房)?(?![{_DIGITS}A-Za-z年月日块元米点分度平万千百]))"
)
_BED = lazy(r"[ ,]?(?:床位?号?|铺位?)[A-Za-z]?[0-9]{1,3}号?(?![0-9])|[ ,]?[0-9]{1,3}号?[床铺]")
_NOT_A_ROAD = lazy(r"[线线上人过由费子程况灯边演牌]|口(?=吃|味)")
_LINK = lazy(r"[ ,，]?(?:那片儿?|附近的?|里面?的?|旁边?的?)?")
_CROSSING = lazy(
    r"(?:[与與和跟]|/)([\u3400-\u9fff0-9]{1,7}?(?:路|街|大道|巷)"
    r"|[\u3400-\u9fff0-9]{1,6}?[道园苑村城门口])(?:的?(?:交叉口|交叉路口|路口|交界处?|交汇处?"
    r"|口))?(?:[东西南北]{1,2}角)?(?:的?[\u3400-\u9fff]{1,4}(?:旁边?|对面|门口))?"
)
_BESIDE = lazy(
    r"(?:口|门口|对面|路口)?[\u3400-\u9fffA-Za-z]{0,5}(?:旁边?|对面|隔壁"
    r"|斜对面)(?:的?[\u3400-\u9fff]{2,4}(?:店|馆|铺|厅|院|站|超市))?|[东西南北]?(?:门|坝|岸|侧)(?:菜鸟柜"
    r"|快递柜|口)?|底商|丰巢|车库"
)
_HOME = gated(
    r"住|租|家在|我家|老家|寄|收货|收件|地址|送到|搬|导航|定位|位置|寝|宿舍|上门|楼下|小区|外卖|同城"
    r"|哪个校区|房在|来取|去取"
)
_HOME_BEFORE = lazy(
    r"(?:住在?|家在|我家|他家|她家|租在|搬到|寄到|送到|地址[:是]?|那边的?|这边的?|附近的?|咱|我在|在|我)[ :]?\Z"
)
_METRO = gated(r"地铁[0-9一二三四五六七八九十]{1,2}号线[\u3400-\u9fff]{2,8}站(?:[A-Z][0-9]?口?)?")
# 我住青山湖那边: a place without an ending, where somebody says it is home.
_WARD = gated(
    r"(?:(?:住院部|住院楼|门诊楼?|外科楼|内科楼|急诊楼?|[\u3400-\u9fff]{1,3}科|icu"
    r"|ICU) ?)?(?:[0-9]{1,2} ?(?:号楼|楼|层|病房|病区|病室) ?)?加?[0-9]{1,3} ?号?床(?![单位上垫头边品])"
)
_HOSPITAL = gated(r"几床|几号床|床位|住院|病房|病区|床号|宿舍|寝")
_LIVES = gated(r"(?:住在?|租在|家在|搬到|我家|老家在?)([\u3400-\u9fff]{2,7}?)(?:那边|这边|那块|那片|附近|旁边|对面)")
_WHERE = gated(r"住哪|住邊|哪里的|哪的|在哪|哪个校区|哪栋|几栋|哪个宿舍|哪个小区|同城|我住|哪片")
_IS_FROM = gated(
    r"(?:^|[ ,])(?:我|我在|我住|在|住)?([\u3400-\u9fff]{1,5}[苑园城府庭湾郡坊岸滩洲桥港村镇庄里巷口])(?:的"
    r"|那边|这边)?(?:$|[ ,?])"
)
_GATED = gated(r"([\u3400-\u9fffA-Za-z0-9]{3,10}?[东西南北正侧后前])门(?:口|停车场|岗亭)?")
_MEETS = gated(r"定位|位置|在哪|哪里|哪儿|到了|集合|等你|等我|碰头|接你|接我|停车|下车|门口见|导航|外卖|放")
_PARK = gated(r"(?<![A-Za-z0-9])[A-Z]-?[0-9]{1,2}(?:停车场|停车位|车位|区[0-9]{1,4}号?车位)")
_ROOM_ASKED = gated(r"房号|房间号|房間號|几号房|哪个房间?|房间多少|几零几|门牌")
_ROOM_ANSWER = lazy(r"(?:在|住|是)?[A-Za-z]?([0-9]{3,4})(?![0-9:]|[元块号点分个米平年岁天])")
_TEACHING = gated(
    rf"(?<![{_DIGITS}{_CN}])(?:[{_DIGITS}]{{1,2}}|[{_CN}]|[A-Z])教(?:学?楼)? ?[A-Za-z]?[{_DIGITS}]{{3,4}}(?![{_DIGITS}])"
)
_ABOVE = gated(r"(?:楼上|楼下|对门|隔壁) ?([0-9]{3,4})(?=的|那家|住|吵|漏|[ ,，。!?？]|$)")
_BARE_ROOM = gated(r"(?:您是|你是|住|房号|房间号?|门牌|送到|敲) ?([0-9]{3,4})(?![0-9]|[元块号点分个米平年岁天])")
_KNOWN = words("places", "cities") | words("places", "provinces")
_CITY = Vocabulary(_KNOWN)
_NOT_PLACES = frozenset(
    listed(
        """
    大学城 里路 公里路 城市 市区 郊区 小区 社区 地区 校区 景区 片区 战区 专区 评论区 弹幕区 禁区 误区 时区
    城区 老城区 农村 乡村 全村 山村 村里 乡镇 城镇 县城 省城 商城 长城 都城 进城 出城 全城 同城 双城 倾城
    公园 校园 家园 乐园 花园 果园 菜园 庄园 田园 游乐园 动物园 植物园 幼儿园 朋友圈 政府 学府 首府 家庭 法庭
    邮居 邻居 定居 同居 蜗居 新居 故居 港湾 医院 学院 法院 剧院 影院 电影院 住院 出院 后院 广场 商场 超市
    股市 夜市 门市 上市 马路 公路 铁路 道路 思路 套路 网路 电路 走路 赶路 迷路 半路 一路 后路 出路 岔路 小路
    大路 逛街 大街 上街 步行街 街道 知道 味道 频道 通道 管道 轨道 跑道 渠道 地道 霸道 人行道 报道 难道 哪里
    这里 那里 家里 心里 公里 海里 手里 嘴里 眼里 梦里 夜里 店里 群里 车里 楼里 城里 市里 县里 校里 屋里 水里
    国际 中心 市中心 酒店 宾馆 饭店 宿舍 市场 停车场 车库 仓库 水库 码头 驿站 全国 省市 地市 直辖市 本市
    外省 江南 天地 新天地 小花园 大楼 教学楼 图书馆 食堂 男寝 女寝 一区 二区 服务区 休息区 办公区 生活区
    开发区 新区 新城 古城
    """
    )
)


ADDRESSED = either(_LIVES, _WARD, _TRIGGER)  # what an address needs, unless the tagger sees one


@dataclass
class _Chain:
    """Parts of one address: `kinds` in order, and what was read of each."""

    start: int
    end: int
    kinds: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)  # the name in a named part, without its ending


def addresses(page: Page, index: int) -> Iterator[Candidate]:
    """Addresses in line `index`."""
    line = page.lines[index]
    if "住" in line.text or "家" in line.text:
        for match in line.each(_LIVES):
            if match[1] not in _NOT_PLACES and match[1] not in _KNOWN and own_name(match[1]):
                yield Candidate(*match.span(1), ADDRESS, 0.64, "address:home")
    if line.may(_WARD) and _near(page, index, 3, _HOSPITAL):
        for match in _WARD.finditer(line.text):
            yield Candidate(*match.span(), ADDRESS, 0.66, "address:bed")
    if not line.finds(_TRIGGER):
        return
    yield from _answers_where(page, index, line)
    for match in line.each(_METRO):
        yield Candidate(*match.span(), ADDRESS, 0.76, "address:metro")
    for chain in _joined(_chains(line)):
        score, rule = _worth(page, index, line, chain)
        if score:
            yield Candidate(chain.start, chain.end, ADDRESS, score, f"address:{rule}")
    for match in line.each(_PARK):
        yield Candidate(*match.span(), ADDRESS, 0.64, "address:parking")
    for match in line.each(_GATED):
        start = begin(line, match.end(1), match.start(1))
        name = line.text[start : match.end(1) - 1]
        if len(name) >= 3 and own_name(name) and not _common(name) and _near(page, index, 2, _MEETS):
            yield Candidate(start, match.end(), ADDRESS, 0.62, "address:gate")
    for match in line.each(_TEACHING):
        yield Candidate(*match.span(), ADDRESS, 0.74, "address:classroom")
    if index and page.lines[index - 1].finds(_ROOM_ASKED) and (answer := _ROOM_ANSWER.match(line.text)):
        yield Candidate(*answer.span(1), ADDRESS, 0.7, "address:room")
    for match in line.each(_ABOVE):
        yield Candidate(*match.span(1), ADDRESS, 0.62, "address:room")
    yield from _tagged(line)
    for match in line.each(_BARE_ROOM):
        if _near(page, index, 4, ADDRESS_WORDS) and page.claim(index, *match.span(1), SECRET) < 1:
            yield Candidate(*match.span(1), ADDRESS, 0.7, "address:room")


def _joined(chains: Iterator[_Chain]) -> list[_Chain]:
    """Chains with those put together that touch: 天府五街|菁蓉汇3栋, where the second begins with a name."""
    found: list[_Chain] = []
    for chain in chains:
        before = found[-1] if found else None
        if before and chain.kinds[0] == "name" and chain.start <= before.end < chain.end:
            before.kinds += chain.kinds[1:]
            before.parts += chain.parts[1:]
            before.own += chain.own[1:]
            before.end = chain.end
        else:
            found.append(chain)
    return found


def _is_named(kind: str, part: str, own: str, housed: bool, house: bool) -> bool:
    """Whether a named part names something: with a number behind it a plain word does (青年路19号, 职工公寓5栋)."""
    if (housed and kind == "place") or (house and kind == "road" and len(own) >= 2 and not _common(part)):
        return True
    return own_name(own) and not (_common(part) if kind == "road" else part in _NOT_PLACES)


def _common(part: str) -> bool:
    """Whether a part with an ending of places is an everyday word, or ends in one: 不知道, 大学城."""
    if part in _NOT_PLACES or part[-3:] in _NOT_PLACES:
        return True
    return part[-2:] in _NOT_PLACES and not (part[-2:] in _NAMED_SO and len(part) >= 4 and own_name(part[:-2]))


# Everyday words that a name before them makes a place: 青年大街, 阳光花园.
_NAMED_SO = frozenset(listed("大街 大道 大路 花园 家园 小区 社区 新城 古城 广场 庄园 公寓 公馆 大厦"))
_HOUSE = lazy(r"[栋棟幢舍]$|号楼$|號樓$|单元$|單元$|[区區]$")
_DOOR = lazy(r"[0-9]{1,3}(?:-[0-9]{1,2})?-[0-9]{3,4}")


def _answers_where(page: Page, index: int, line: Line) -> Iterator[Candidate]:
    if index == 0 or not any(one.finds(_WHERE) for one in page.lines[max(0, index - 2) : index]):
        return
    for match in line.each(_IS_FROM):
        start = begin(line, match.end(1) - 1, match.start(1))
        name = line.text[start : match.end(1)]
        if len(name) >= 2 and name not in _NOT_PLACES and name not in _KNOWN and own_name(name):
            yield Candidate(start, match.end(1), ADDRESS, 0.6, "address:answer")


ADDRESS_WORDS = gated(r"外卖|[栋幢]|号楼|单元|房间|酒店|民宿|宿舍|寝|门牌|门禁|进来了|快递|上楼|几楼")


_FINE = lazy(
    r"[路街巷弄镇鄉乡村屯寨苑园園郡湾灣坊邨堡厝]\Z|大道\Z|街道\Z|小区\Z|社区\Z|新城\Z|花园\Z|家园\Z|公寓\Z|大厦\Z|广场\Z"
)


_ROADS = lazy(r"[\u3400-\u9fff]{2,}(?:路|街|大道|大街|巷|弄)\Z")


def _tagged(line: Line) -> Iterator[Candidate]:
    """Places of the tagger that are finer than a city: 南海里水镇 after 佛山, 魁奇路."""
    spans = [(start, end) for start, end, tag in line.words if tag == LOC]
    at = 0
    while at < len(spans):
        run = [spans[at]]
        while at + len(run) < len(spans) and spans[at + len(run)][0] == run[-1][1]:
            run.append(spans[at + len(run)])
        start, end = run[0][0], run[-1][1]
        text = line.text[start:end]
        fine = line.text[run[-1][0] : run[-1][1]]
        at += len(run)
        road = _ROADS.search(fine) is not None  # 青年大街, 人民路: roads are called by everyday words
        if fine in _KNOWN or not _FINE.search(fine) or not (road or (own_name(fine[:-1]) and not _common(fine))):
            continue
        if road and (fine in _NOT_PLACES or fine[:-1] in _NOT_PLACES):
            continue
        if len(run) > 1:
            yield Candidate(start, end, ADDRESS, 0.76, "address:tagged")
        elif len(text) >= 4 or (len(text) == 3 and fine[-1] in "路街镇村巷"):
            yield Candidate(start, end, ADDRESS, 0.62, "address:tagged")


def _near(page: Page, index: int, distance: int, pattern: Pattern) -> bool:
    """Whether `pattern` is in this line or one of the `distance` before or two after."""
    lines = page.lines[max(0, index - distance) : index + 3]
    return any(line.finds(pattern) for line in lines)


def _chains(line: Line) -> Iterator[_Chain]:
    text = line.text
    chain: _Chain | None = None
    for match in line.each(_PART):
        kind = str(match.lastgroup)
        at, end = match.span()
        if kind == "road" and _NOT_A_ROAD.match(text, end):
            continue
        if kind == "numbered" and (text[at - 1 : at] == "月" or text[end : end + 1] == "线"):
            continue
        link = _LINK.match(text, chain.end) if chain else None
        joined = False
        start = at
        if kind in ("numbered", "dashed"):
            joined = chain is not None and at - chain.end <= 1 and text[chain.end : at].strip(" ,-") == ""
        else:
            lowest = chain.end if chain else 0
            start = begin(line, at, lowest)
            if chain and link and len(chain.kinds) >= 1:
                joined = start <= link.end() and (link.end() - chain.end <= 1 or len(chain.kinds) >= 2)
                if joined and link.end() == chain.end and start > chain.end:
                    joined = False
        if joined and chain:
            chain.parts.append(text[start:end])
            chain.own.append(text[start:at])
            chain.kinds.append(kind)
            chain.end = end
        else:
            if chain:
                yield _finish(line, chain)
            if kind not in ("numbered", "dashed") and start == at:
                chain = None
                continue
            chain = _Chain(start, end, [kind], [text[start:end]], [text[start:at]])
    if chain:
        yield _finish(line, chain)


def _finish(line: Line, chain: _Chain) -> _Chain:
    """Take in what belongs to an address without being a part: the room, a crossing, what it stands beside, the city
    before."""
    text = line.text
    if chain.kinds[-1] in ("road", "place") and (cross := _CROSSING.match(text, chain.end)):
        chain.kinds.append("crossing")
        chain.end = cross.end()
    elif (
        (room := _ROOM.match(text, chain.end))
        and (chain.kinds[-1] == "numbered" or room.group()[0] != " ")
        and _takes_a_room(chain, text)
    ):
        chain.kinds.append("room")
        chain.end = room.end()
    if len(chain.kinds) > 1 and (bed := _BED.match(text, chain.end)):
        chain.end = bed.end()
    if len(chain.kinds) > 1 and (beside := _BESIDE.match(text, chain.end)):
        chain.end = beside.end()
    if (chain.kinds[0] == "numbered" and len(chain.kinds) > 1) or chain.kinds[0] == "dashed":
        # A name without an ending before the number: 洛阳春晓12栋402.
        start = begin(line, chain.start, 0)
        if chain.start - start >= 2 and text[start : chain.start] not in _NOT_PLACES:
            chain.start = start
            chain.kinds.insert(0, "name")
            chain.parts.insert(0, text[start : chain.end])
            chain.own.insert(0, "")
    elif chain.kinds[0] == "numbered":
        start = begin(line, chain.start, 0)
        if chain.start - start >= 2:
            chain.kinds.insert(0, "name")
            chain.parts.insert(0, text[start : chain.start])
            chain.own.insert(0, "")
            chain.start = start
    chain.start = _cities_before(text, chain.start)
    return chain


def _cities_before(text: str, start: int) -> int:
    """Where the cities and provinces begin that end at `start`, in the twelve characters before it."""
    reached = {start}
    for at in range(start - 2, max(0, start - 12) - 1, -1):
        for end in _CITY.ends(text, at):
            if end in reached or (end + 1 in reached and text[end] in "省市"):
                reached.add(at)
                break
    return min(reached)


def _takes_a_room(chain: _Chain, text: str) -> bool:
    last = chain.kinds[-1]
    if last == "numbered":
        house = "road" in chain.kinds and (text[chain.end - 1] in "号號弄" or "之" in chain.parts[-1])
        return house or text[chain.end - 1] in "栋棟幢座楼樓舍元门院区區期层"
    return last == "place" and text[chain.start : chain.end] not in _NOT_PLACES


def _worth(page: Page, index: int, line: Line, chain: _Chain) -> tuple[float, str]:
    text = line.text
    kinds = set(chain.kinds)
    numbered = [part for kind, part in zip(chain.kinds, chain.parts, strict=False) if kind == "numbered"]
    housed = "room" in chain.kinds or any(_HOUSE.search(part) for part in numbered)
    built = any(part[-1] in "栋棟幢座楼樓舍元室弄院门" for part in numbered)
    house = any(part[-1] in "号號弄" for part in numbered)
    numbers = sum(kind in ("numbered", "dashed", "room") for kind in chain.kinds)
    named = [
        (kind, part)
        for kind, part, own in zip(chain.kinds, chain.parts, chain.own, strict=False)
        if kind in ("road", "place", "admin") and part not in _KNOWN and _is_named(kind, part, own, housed, house)
    ]
    names = {kind for kind, _ in named}
    if "crossing" in kinds and named:
        return 0.86, "crossing"
    if "road" in names and (house or numbers):
        return 0.92, "road"
    if names and built:
        return (0.9 if numbers > 1 or "room" in kinds else 0.86), "building"
    if names and ("room" in kinds or ("dashed" in kinds)):
        return 0.85, "room"
    if len(named) >= 2:
        return (0.86 if "admin" in names else 0.8), "places"
    if "name" in kinds and built and numbers > 1:
        return 0.84, "building"
    home = _near(page, index, 3, _HOME)
    if "admin" in names and numbers:
        return 0.8, "village"
    if built and numbers > 1:
        return 0.82 if home or "room" in kinds else 0.6, "building"
    if "name" in kinds and (built or (chain.kinds[-1] == "dashed" and _DOOR.search(chain.parts[-1]))) and home:
        return 0.74, "building"
    if "dashed" in kinds and page.claim(index, chain.start, chain.end, SECRET) <= 0:
        sizes = [len(p) for p in chain.parts[-1].split("-")]
        if len(sizes) == 3 and 3 <= sizes[-1] <= 4 and home:
            return 0.85, "room"
        if len(sizes) == 3 and max(sizes[:2]) <= 2 and sizes[-1] == 4 and line.share(chain.start, chain.end) < 1:
            return 0.6, "room"
        if len(sizes) == 2 and sizes[0] <= 2 and sizes[-1] == 3 and home:
            return 0.72, "room"
        return 0.0, ""
    if named and numbers:
        return (0.8 if home else 0.6), "numbered"
    if len(named) == 1 and (named[0][0] != "admin" or len(named[0][1]) > 3):
        beside = _HOME_BEFORE.search(text, max(0, chain.start - 6), chain.start)
        if beside and home:
            return 0.7, "place"
        if (
            named[0][1].endswith(("水库", "停车场", "码头", "家属院", "市场", "公寓", "小区", "花园", "大厦"))
            and len(named[0][1]) >= 5
        ):
            return 0.66, "place"
    return 0.0, ""
