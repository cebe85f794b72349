"""Schools, employers, shops: a name of their own before an ending, short names everybody knows, and where people say
they work or study."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.kinds import ORG
from curation.identifiers.left import GENERIC, begin, own_name
from curation.identifiers.lexicon import alternation, listed, words
from curation.identifiers.namefinder import ORG as TAGGED
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import lazy

_ENDINGS = words("places", "organisation_endings")
_BARE = words("places", "bare_endings")
_ENDING = lazy(alternation(_ENDINGS | _BARE), re.IGNORECASE)
_SIGNS = " ,，。.!！?？~、:：;；\"'「」“”()\n\ufffc"
# Endings that are common words, so that more must speak for them.
_COMMON = _BARE | frozenset(
    listed(
        """
    中心 学校 學校 公司 银行 证券 保险 厂 工厂 超市 酒店 宾馆 民宿 客栈 餐厅 餐廳 饭店 酒吧 网吧 站点 驿站
    网点 门店 药店 花店 书店 便利店 健身房 驾校 食堂 行 分店 集市 协会 学会 法院 派出所 高中 初中 大学 大學
    附中 附小 中学 小学 医院 醫院 集团 诊所 摄影 洗车店 理发店 奶茶店 蛋糕店 咖啡店 咖啡厅 火锅店 烧烤店
    网咖 宠物店 宠物医院 幼儿园 律所 俱乐部 影院 影城 农场
    """
    )
)
_WEAK_ENDINGS = frozenset(("行", "中心", "厂", "保险", "证券", "信托", "学会", "集市"))
_WORK = lazy(
    r"上班|工作|打工|实习|兼职|任职|入职|就职|跳槽|面试|应聘|招聘|offer|辞职|离职|裁员|裁了|加班|老板|同事"
    r"|前台|单位|公司|店里|我们店|开店|开了|送货|发货|取件|发票|抬头|赞助|门店|预约|学校|毕业|念书|读书"
    r"|上学|考上|考到|大[一二三四](?![0-9])|研[一二三]|专业|校区|老师|同学|校友|届|班的|护士|医生|实习"
    r"|住院|挂号|看病|面基|集合|约在|地址|定的|订了|入住|哪家|哪个店|去过|叫|的我|就职"
)
_PLACED = lazy(
    r"(?:在|搁|喺|从|進|进了?|去了?|到|是|于|读|念|考上了?|来自|我|开|做|推|跑|家|的|就|订了?|抬头|找|跟"
    r"|请问|发票开|寄|那家|取)[ :]?\Z"
)
_AFTER = lazy(
    r"(?:的|前台|上班|工作|实习|那边|这边|读|念|毕业|当|做|门口|老板|老师|员工|大[一二三四]|系|学|门卫室"
    r"|还|吃|裁|呢|吗|[ ,，。!?？:、\n\ufffc]|\Z)"
)
_AFTER_BARE = lazy(
    r"上班|工作|实习|前台|门口|老板|那边|这边|的(?:人|员工|老师|同事|老板|前台|[小老][\u3400-\u9fff]"
    r"|[\u3400-\u9fff]{1,3}(?:老师|师傅|经理|[总姐哥工])|[ ,，。!?？]|$)|[ ,，。!?？:、\n\ufffc]|\Z|对吧"
    r"|对吗|是吧|做|当"
)
_SCHOOLS = alternation(words("places", "known_schools"))
_SCHOOL = lazy(
    rf"{_SCHOOLS}(?=的|毕业|读|念|大[一二三四]|研[一二三]|上学|那边|附近|校区|本科|硕士|博士|[ ,，。!?？\n]|$)"
)
_BEFORE_SCHOOL = frozenset("在是我你他她上去进到读念考科")
_NUMBERED = lazy(
    r"(?<!大)[一二三四五六七八九十]{1,3}(?:中|小|院|高|初中|人民医院|医院|所)(?=的|毕业|读|念|上|当|做"
    r"|[ ,，。!?？\n]|$|挂号|住院)"
)
_DISTRICT = lazy(r"(?:[\u3400-\u9fff]{0,3}[市县区]|第)\Z")
_COMPANIES = alternation(words("places", "known_companies"))
_COMPANY = lazy(
    rf"{_COMPANIES}(?:公司|集团|总部)?(?=上班|工作|实习|做|干|当|任职|裁|那边|里面|的?(?:offer|员工|同事|工资|班)|搞)"
)
_BEFORE_COMPANY = lazy(r"(?:^|[在进去是于从]|我们|入职|跳槽到|实习)\Z")
_WORKPLACE = lazy(
    r"(?:在|搁|喺)([\u3400-\u9fffA-Za-z0-9]{2,12}?)(?:上班|工作|打工|实习|任职|就职|当(?!时|然|天|年|场|面"
    r"|初)|做(?:运营|销售|前台|老师|护士|会计|客服|人事|行政|设计|开发|程序|财务|保安|文员|采购|收银)"
    r"|跑工程|读书|念书|上学|读(?:大|研|初|高|博)|念(?:大|研|初|高|博|$)|教书)"
)
CITIES = words("places", "cities") | words("places", "provinces")
_NOT_WORK = frozenset(
    listed(
        """
    家 家里 外地 外面 北京 上海 广州 深圳 杭州 这里 那里 这 那 这边 那边 学校 公司 单位 国外 老家 城里 县城
    村里 店里 工地 网上 线上 办公室 图书馆 教室 宿舍 食堂 一起 努力 认真 这儿 那儿 国内 本地 体制内 厂里
    镇上 市里 省里
    """
    )
)


def organisations(page: Page, index: int) -> Iterator[Candidate]:
    """Organisations in line `index`."""
    line = page.lines[index]
    text = line.text
    if text.isascii():
        return
    for match in _ENDING.finditer(text):
        yield from _with_ending(page, index, line, *match.span())
    for match in _SCHOOL.finditer(text):
        before = text[match.start() - 1 : match.start()]
        if not before or before in _BEFORE_SCHOOL or not "\u3400" <= before <= "\u9fff":
            yield Candidate(*match.span(), ORG, 0.76, "organisation:known")
    for match in _NUMBERED.finditer(text):
        district = _DISTRICT.search(text, max(0, match.start() - 4), match.start())
        start = begin(line, match.start(), district.start()) if district else match.start()
        yield Candidate(start, match.end(), ORG, 0.74, "organisation:numbered")
    for match in _COMPANY.finditer(text):
        if _BEFORE_COMPANY.search(text, max(0, match.start() - 4), match.start()):
            yield Candidate(*match.span(), ORG, 0.76, "organisation:known")
    for match in _WORKPLACE.finditer(text):
        name = match[1]
        if (
            name not in _NOT_WORK
            and len(name) > 2
            and name not in CITIES
            and name not in GENERIC
            and own_name(name)
            and not _COMMON_PLACE.search(name)
        ):
            start = begin(line, match.end(1), match.start(1))
            if match.end(1) - start >= 2:
                yield Candidate(start, match.end(1), ORG, 0.7, "organisation:workplace")
    for match in _TREATED.finditer(text):
        start = begin(line, match.end(1), match.start(1))
        if match.end(1) - start >= 4:
            yield Candidate(start, match.end(1), ORG, 0.66, "organisation:hospital")
    for match in _PRESENTED.finditer(text):
        name = match[1]
        told = any(_RECRUITS.search(one.text) for one in page.lines[max(0, index - 2) : index + 3])
        if told and own_name(name) and name not in _NOT_WORK and not _COMMON_PLACE.search(name):
            yield Candidate(*match.span(1), ORG, 0.64, "organisation:presented")
    for start, end, tag in line.words:
        if (
            tag == TAGGED
            and end - start >= 2
            and text[start:end] not in CITIES
            and _WORKS_THERE.match(text, end)
            and _PLACED.search(text, max(0, start - 4), start)
        ):
            yield Candidate(start, end, ORG, 0.74, "organisation:tagged")
        if tag == TAGGED and end - start >= 4 and _BRANCH.search(text, start, end) and own_name(text[start:end]):
            yield Candidate(start, end, ORG, 0.7, "organisation:tagged")
        if (
            tag == TAGGED
            and end - start >= 4
            and _ENDING.fullmatch(text, max(start, end - 2), end)
            and own_name(text[start:end])
        ):
            yield Candidate(start, end, ORG, 0.8, "organisation:tagged")


_BRANCH = lazy(
    r"(?:分行|支行|分局|大队|支队|中队|营业部|事业部|分公司|研究所|中心|医院|学校|学院|大学|中学|小学|公司|集团)\Z"
)
_PRESENTED = lazy(
    r"(?:^|[ ,，。!?？])(?:我|这里|这边)?(?:是|系)([\u3400-\u9fffA-Za-z0-9]{3,10}?)"
    r"(?:教务处|人事部?|财务处?部?|客服部?|前台|销售部?|招聘组?|行政部?|学工处|班主任|物业)?的(?=$|[ ,，。!?？])"
)
_RECRUITS = lazy(
    r"面试|简历|应聘|岗位|招聘|hr|HR|客服|售后|回访|猎头|快递|送货|预约|报名|课程|顾问|信息有误|同学你好|您好|同学"
)
# 辽宁中医, 市妇幼: hospitals by their short names, where somebody goes for treatment.
_TREATED = lazy(
    r"([\u3400-\u9fff]{2,5}(?:中医|妇幼|附一|附二|一院|二院|三院|口腔|肿瘤|骨科|儿童|眼科|人民))(?:医院)?(?=抓药|看病|看医生|看牙|挂号|住院|做手术"
    r"|检查|体检|开药|生孩子|生的|化疗|复查|打针|陪护)"
)
_WORKS_THERE = lazy(r"上班|工作|打工|实习|任职|做|当|干|读|念|毕业|的(?:老师|员工|同事|hr)|面试|入职")
_COMMON_PLACE = lazy(r"[\u3400-\u9fff]{0,2}(?:北京|上海|广州|深圳|杭州|家|城|地方|里|边|上|外|公司|学校)\Z")


def _with_ending(page: Page, index: int, line: Line, at: int, end: int) -> Iterator[Candidate]:
    text = line.text
    ending = text[at:end]
    start = begin(line, at, 0)
    name = text[start:at]
    if not own_name(name) or len(name) < (2 if len(ending) > 1 else 3):
        return
    if ending in _WEAK_ENDINGS and len(name) < 3:
        return
    placed = start == 0 or text[start - 1] in _SIGNS or _PLACED.search(text, max(0, start - 4), start) is not None
    after = _AFTER.match(text, end) is not None
    spoken = _talk(page, index)
    alone = (start == 0 or text[start - 1] in _SIGNS) and (end == len(text) or text[end] in _SIGNS)
    if ending not in _COMMON:
        score = 0.86 if placed and after else 0.8 if placed or after else 0.66
    elif ending not in _BARE and ending not in _WEAK_ENDINGS:
        score = 0.82 if placed and after else 0.7 if placed or spoken else 0.5
    elif alone or (start and placed and text[start - 1] not in _SIGNS and _AFTER_BARE.match(text, end)):
        score = 0.78 if spoken else 0.66
    elif spoken and placed and _AFTER_BARE.match(text, end):
        score = 0.6
    else:
        return
    if ending in _BARE and len(name) > 4 and not alone and start not in line.cut:
        score -= 0.15
    if line.words and score < 0.8 and len(name) > 4 and start not in (0, *line.cut):
        score -= 0.2
    if campus := _CAMPUS.match(text, end):
        end = campus.end()
    if score >= 0.5:
        yield Candidate(start, end, ORG, round(score, 2), "organisation")


_CAMPUS = lazy(r"[东南西北中新老]?(?:校区|院区|分校|分院|分部)|[东南西北]区(?![\u3400-\u9fff])")


def _talk(page: Page, index: int) -> bool:
    """Whether work, school or a visit is spoken of here or just before."""
    return any(_speaks(line) for line in page.lines[max(0, index - 2) : index + 1])


def _speaks(line: Line) -> bool:
    return line.remember("work", lambda: _WORK.search(line.text) is not None)
