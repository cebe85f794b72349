"""Places that are known by a name rather than by an address: what a tagger takes for a place, and a part of it; a way
out of a station, a room of a building, what stands opposite something."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.kinds import ADDRESS
from curation.identifiers.left import begin, own_name
from curation.identifiers.lexicon import Vocabulary, listed, words
from curation.identifiers.namefinder import LOC, ORG, RULES_ALONE
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import either, gated, lazy

COUNTIES = words("counties", "counties")
_REGIONS = words("places", "cities") | words("places", "provinces") | COUNTIES
_REGION = Vocabulary(_REGIONS)
_OF_REGIONS = ("省", "市", "县", "区", "縣", "區", "州", "那边", "这边", "县城", "老家")
# Places that everybody knows, which say nothing of the two who talk.
_WORLD = frozenset(
    listed(
        """
    中国 中國 美国 美國 英国 法国 德国 日本 韩国 朝鲜 俄罗斯 泰国 印度 越南 缅甸 新加坡 马来西亚 加拿大 澳洲 澳大利亚 欧洲 亚洲
    非洲 美洲 意大利 西班牙 葡萄牙 巴西 阿根廷 墨西哥 埃及 土耳其 伊朗 以色列 乌克兰 东北 西北 西南 华东 华南 华北 华中 江南
    江北 江浙 江浙沪 珠三角 长三角 大陆 内地 国内 国外 海外 墨尔本 多伦多 温哥华 奥克兰 芝加哥 波士顿 旧金山
    西雅图 曼彻斯特 利物浦 柏林 慕尼黑 米兰 罗马 莫斯科 迪拜 清迈 普吉岛 巴厘岛 河内 吉隆坡 京都 北海道 釜山
    济州岛 布里斯班 珀斯 拉斯维加斯 东京 大阪 首尔 纽约 伦敦 巴黎 洛杉矶 悉尼 曼谷 长城 故宫 天安门
    长江 黄河 珠江 泰山 黄山 华山 西湖 太湖 洱海 青海湖 喜马拉雅 珠峰 长江大桥 月球 火星 地球 太平洋 大西洋 南极 北极 公园
    学校 医院 操场 城里 县城 市区 郊区 农村 乡下 地铁站 火车站 高铁站 汽车站 机场 车站 广场 超市 食堂 图书馆 宿舍 教室 市政府
    东广场 西广场 南广场 北广场 鼓浪屿 解放碑 外滩 澳门 香港 台湾 澳門 臺灣 河边 海边 江边 山上 村里 镇上 客厅 卧室 厨房 厕所
    """
    )
)
# What belongs to a place that stands before it.
_MORE = lazy(
    r"(?:(?:附?[0-9一二三四五六七八九十]{1,4}(?:号楼|号院|号|號|组|栋|棟|幢|楼|座|期|区|弄|室|单元|社|队|排|铺|档|床|巷|门|层|口)"
    r"|[A-Z]-?[0-9]{0,2}(?![0-9])(?:座|栋|区|口|馆|门|楼)?(?![A-Za-z0-9])|[东西南北前后正侧][门區区院街](?:口|外|旁)?|[0-9]{3,4}(?![0-9元块号点天个])"
    r"|[东西南北]?(?:出站口|进站口|出口|入口|路口|门口|停车场|候车厅|公交站|地铁口|地铁站|菜场|夜市|集市|码头|渡口))){1,12}"
)
_BESIDE = lazy(
    r"[\u3400-\u9fff]{0,5}(?:斜对面|对面|隔壁|旁边|后面|后边|背后|楼上|楼下)(?:的?[\u3400-\u9fff]{1,4}(?:店|铺|馆|房|屋|院|厂|超市))?"
)
_AT = lazy(
    r"(?:住在?|在|到|回|去|来|来自|从|往|送|送到|寄到|搬到|搬去|家是?|老家是?|给|于|离|靠近|我是|他是|她是|是|喺|搁|过)[ :]?\Z"
)
_HOME = gated(
    r"住|租|家|搬|定位|位置|集合|碰头|接|等|哪|地址|送|寄|老乡|村|镇|小区|寝|楼下|门口|到了|导航|停|找你|找我|房|店"
)
_GENERIC_END = lazy(
    r"(?:国|省|州|洲|海|洋|江|河|湖|山|岛|人|车|里|上|边|学校|公园|医院|车站|机场|寺|佛|峡|瀑布|景区|草原|古城|亚丁|外滩|广场|苗寨|石窟|古镇|大学|深圳湾)\Z"
)
_STATION = gated(
    r"(?:汽车|客运|火车|高铁|动车|公交|轻轨|地铁)?(?:[东西南北]|总|中心)?站"
    r"(?:[东西南北]?(?:出站口|进站口|出口|入口|广场)|[A-H][0-9]?口|[0-9]号口|门口)|(?:地铁|轻轨)(?:[A-H][0-9]?口|[0-9]号口|[东西南北]口)"
)
_DIRECTED = lazy(r"[东西南北]站|站[东西南北]|[A-H][0-9]?口|[0-9]号口")
_ROOM = gated(
    r"(?:楼|樓|馆|院|中心|大厦|公寓|宿舍|寝室|病房|教室|机房|实验室|办公室)[ ]?(?:[A-Z东西南北][区座栋楼]?"
    r"|[一二三四五六七八九十]楼|[0-9]{1,2}(?:楼|层|区))?"
    r"-?[A-Z]?[0-9]{3,4}(?:室|房|号|教室|办公室)?(?![0-9元块号点天个人年月日米-]|[a-z])"
)
_STANDS = (
    r"(?:邮局|银行|超市|食堂|医院|小学|中学|学校|幼儿园|加油站|菜场|菜市场|市场|大桥|桥头|公园|广场|车站|路口|村口|网吧|药店|"
    r"派出所|法院|商场|宾馆|酒店|牌坊|庙|祠堂|教堂|电影院|澡堂|粮站|供销社|公厕|水塔|车库|操场|茶馆|门诊|卫生院|政府|邮政|大队)"
)
_STANDS_THERE = lazy(rf"{_STANDS}(?:门口)?的?\Z")
_OPPOSITE = gated(
    r"(?:斜对面|正对面|对面|隔壁|旁边|后面|后边|后头|背后|楼上|楼下)"
    r"(?:的?[\u3400-\u9fff]{1,4}(?:店|铺|馆|房|屋|院|厂|楼|摊|超市))?"
)
_NUMBERED_HALL = lazy(r"(?:[一二三四五六七八九东西南北]|第[一二三四五六])\Z")
# 姥姥家西古堡, 老家白沙坪: home, and no word between.
_FAMILY_HOME = gated(
    r"(?:(?:姥姥|姥爷|奶奶|爷爷|外婆|外公|舅舅|姑姑|姑妈|姨妈|阿姨|婆婆|娘|婆|丈母娘|叔叔|伯伯|[我你他她](?:妈|爸))家|[我你他她]家(?:就?在|住)|老家|老屋|祖籍)"
    r"(?:就?在|是|住)?([\u3400-\u9fff]{2,6})(?=的|那边|这边|那块|[ ,，。!?？]|$)"
)
_NOT_HOME = lazy(
    r"[里人吃喝玩睡说看了的吗呢吧啊呀哈也都不没有是很太就还要会能可会想给和跟来去过等到着么什怎哪谁啥几第一二三四五六七八九十我你他她它]"
)


def localities(page: Page, index: int) -> Iterator[Candidate]:
    """Places by name in line `index`."""
    line = page.lines[index]
    text = line.text
    if line.numeric and line.finds(_STREET):
        for match in line.each(_ABROAD):
            yield Candidate(*match.span(), ADDRESS, 0.74, "place:abroad")
    if text.isascii():
        return
    for match in line.each(_PARKED):
        start = begin(line, match.start(), 0)
        if match.start() - start >= 2:
            yield Candidate(start, match.end(), ADDRESS, 0.7, "place:parked")
    if line.words:
        yield from _tagged(page, index, line)
    if line.may(_LIES_INSIDE):
        yield from _inside(page, index, line)
    for match in line.each(_STATION):
        start = begin(line, match.start(), 0)
        named = match.start() - start >= 2 and own_name(text[start : match.start()])
        if named or _DIRECTED.search(match.group()):
            yield Candidate(start, match.end(), ADDRESS, 0.7, "place:station")
    if line.numeric:
        for match in line.each(_ROOM):
            start = begin(line, match.start(), 0)
            if match.start() - start >= 1 and not _GENERIC_ROOM.search(text, start, match.start()):
                yield Candidate(start, match.end(), ADDRESS, 0.72, "place:room")
    for match in line.each(_OPPOSITE):
        stands = _STANDS_THERE.search(text, max(0, match.start() - 7), match.start())
        if stands is None:
            continue
        start = begin(line, stands.start(), max(0, stands.start() - 8))
        name = text[start : stands.start()]
        if _NUMBERED_HALL.fullmatch(name) or (len(name) >= 2 and own_name(name)):
            yield Candidate(start, match.end(), ADDRESS, 0.66, "place:opposite")
    for match in line.each(_FAMILY_HOME):
        name = match[1]
        known = name in _WORLD or _regions_only(name)
        if not known and not _NOT_HOME.search(name) and not _everyday(line, *match.span(1)):
            yield Candidate(*match.span(1), ADDRESS, 0.58, "place:home")


def _regions_end(name: str) -> int:
    """Where the regions end that `name` begins with: 广东省佛山|里水."""
    at = 0
    while (end := _REGION.end(name, at)) > at:
        at = end + next((len(more) for more in _OF_REGIONS if name.startswith(more, end)), 0)
    return at


def _regions_only(name: str, at: int = 0) -> bool:
    """Whether `name` is nothing but regions from `at` on."""
    for end in _REGION.ends(name, at):
        for stop in (end, *(end + len(more) for more in (*_OF_REGIONS, "市区") if name.startswith(more, end))):
            if stop == len(name) or _regions_only(name, stop):
                return True
    return False


def _inside(page: Page, index: int, line: Line) -> Iterator[Candidate]:
    """What lies at a landmark, on a floor of something, at a counter."""
    text = line.text
    for pattern, score, rule in ((_FEATURE, 0.6, "place:feature"), (_INSIDE, 0.58, "place:inside")):
        for match in line.each(pattern):
            start = begin(line, match.start(), max(0, match.start() - 10))
            name = text[start : match.start()]
            if len(name) >= 2 and own_name(name) and _at_home(page, index):
                yield Candidate(start, match.end(), ADDRESS, score, rule)
    for match in line.each(_COUNTER):
        number = _ITS_NUMBER.search(text, max(0, match.start() - 16), match.start())
        if number:
            start = number.start()
            if _BUILDING.search(text, max(0, start - 2), start):
                start = begin(line, start, max(0, start - 6))
            yield Candidate(start, match.end(), ADDRESS, 0.64, "place:counter")


_STREET = gated(
    r"[A-Za-z] (?:St|Street|Rd|Road|Ave|Avenue|Blvd|Boulevard|Ln|Lane|Dr|Drive|Ct|Court|Pl|Place|Way|Terrace|Tce|Square|Sq"
    r"|Crescent|Parade|Hwy)(?![A-Za-z])",
    re.IGNORECASE,
)
# 238 Swanston St, Flat 12B 40 Mill Lane.
_ABROAD = gated(
    r"(?<![A-Za-z0-9])(?:(?:Flat|Unit|Apt|Room|Rm|Suite|Block"
    r"|Blk)\.? ?[0-9]{1,4}[A-Za-z]?[ ,/]{1,2})?[0-9]{1,5}[A-Za-z]?(?:/[0-9]{1,4})? "
    r"(?:[A-Za-z][A-Za-z']{1,14} ){1,3}(?:St|Street|Rd|Road|Ave|Avenue|Blvd|Boulevard|Ln|Lane|Dr|Drive|Ct|Court|Pl|Place|Way"
    r"|Terrace|Tce|Square|Sq|Crescent|Parade|Hwy)(?![A-Za-z])(?:,? (?:Apt|Unit|#) ?[0-9]{1,4}[A-Z]?)?",
    re.IGNORECASE,
)
_PARKED = gated(
    r"(?:地下|负[一二三1-3]层?|B[1-4])?(?:停车场|停车楼|车库|停车位) ?"
    r"(?:[A-Z]-?[0-9]{0,4}(?:-[0-9]{1,4})?|[0-9]{2,4})(?:号|区)?(?:车位)?(?![0-9A-Za-z元块])"
)
# 绕城高速新桥服务区, 老寨山脚下, 百脑汇一楼肯德基, 门诊楼4层12诊室.
_FEATURE = gated(
    r"(?:服务区|收费站|检查站|高速口|立交桥?|山脚下?|河边上|湖边上|桥头|桥下|桥底|街口|巷口|渡口|水闸|垭口|坡上|岭上|大院内)"
    r"(?=[ ,，。!?？]|$|[的等见抛停那这旁下])"
)
_INSIDE = gated(
    r"(?:负?[一二三四五六七八九1-9]楼|[B负][1-3一二三]层?)的?[\u3400-\u9fff]{2,6}(?=[ ,，。!?？]|$|门口|等)"
)
_COUNTER = gated(r"(?:诊室|诊间|窗口|包间|包厢|包房|卡座|会议室|工位|档口|铺位|摊位|货柜|柜台|登机口|检票口|候车室)")
_LIES_INSIDE = either(_FEATURE, _INSIDE, _COUNTER)
_ITS_NUMBER = lazy(r"(?:[A-Z]区)?(?:[0-9一二三四五六七八九]{1,2}(?:层|楼) ?)?[A-Z]?[0-9]{1,3}号?\Z")
_BUILDING = lazy(r"(?:楼|部|科|馆|厅|院区)\Z")
_GENERIC_ROOM = lazy(r"(?:[几哪这那上下高低一每整满本我你他她酒]|酒店|宾馆|影院|客服)\Z")


# What a place needs, unless the tagger sees one.
LOCATED = either(_ABROAD, _PARKED, _LIES_INSIDE, _STATION, _ROOM, _OPPOSITE, _FAMILY_HOME)


def _everyday(line: Line, start: int, end: int) -> bool:
    """Whether `start..end` is a word of the language, or none can be told without a tagger."""
    text = line.text[start:end]
    return line.tagger is RULES_ALONE or (start, end) in line.plain_words or len(set(text)) < len(text)


def _tagged(page: Page, index: int, line: Line) -> Iterator[Candidate]:
    text = line.text
    spans = [(start, end, tag) for start, end, tag in line.words if tag in (LOC, ORG)]
    at = 0
    while at < len(spans):
        first = at
        at += 1
        while at < len(spans) and spans[at][0] == spans[at - 1][1]:
            at += 1
        run = spans[first:at]
        if all(tag == ORG for _, _, tag in run):
            more = _MORE.match(text, run[-1][1])
            if more and own_name(text[run[0][0] : run[-1][1]]) and any(c.isalnum() for c in more.group()):
                yield Candidate(run[0][0], more.end(), ADDRESS, 0.66, "place:tagged")
            continue
        yield from _run(page, index, line, run[0][0], run[-1][1], len(run))


def _at_home(page: Page, index: int) -> bool:
    """Whether a home, a meeting or a delivery is spoken of here or just before."""
    return any(one.finds(_HOME) for one in page.lines[max(0, index - 2) : index + 1])


def _run(page: Page, index: int, line: Line, start: int, end: int, parts: int) -> Iterator[Candidate]:
    text = line.text
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and (not text[end - 1].isalnum() or text[end - 1] in "上吧里呢那"):
        end -= 1
    name = text[start:end]
    if len(name) < 2 or not all("\u3400" <= c <= "\u9fff" or c.isalnum() for c in name):
        return
    if more := _MORE.match(text, end):
        if name not in _WORLD:
            yield Candidate(start, more.end(), ADDRESS, 0.74, "place:tagged")
        return
    region = _regions_end(name)
    beyond = name[region:]
    if name in _WORLD or not beyond or not own_name(name):
        return
    if len(name) >= 3 and (beside := _BESIDE.match(text, end)):
        yield Candidate(start, beside.end(), ADDRESS, 0.66, "place:tagged")
        return
    at = _AT.search(text, max(0, start - 4), start) is not None
    whole = line.share(start, end) > 0.7
    home = _at_home(page, index)
    plain = _GENERIC_END.search(name) is not None  # 大岗山, 黔灵公园: mostly landmarks
    if region and len(name) >= 4 and (parts > 1 or len(beyond) >= 2):
        yield Candidate(start, end, ADDRESS, 0.66, "place:tagged")
    elif len(name) >= 3 and not plain and (at or whole or home):
        yield Candidate(start, end, ADDRESS, 0.6 if home or whole else 0.54, "place:tagged")
    elif home and ((len(name) >= 4 and plain and (at or whole)) or (len(name) == 2 and whole and not plain)):
        yield Candidate(start, end, ADDRESS, 0.54, "place:tagged")
