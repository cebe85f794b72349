"""Schools, employers, shops: a name of their own before an ending, short names everybody knows, and where people say
they work or study."""

from __future__ import annotations

from collections.abc import Iterator

from curation.identifiers.kinds import ORG
from curation.identifiers.left import GENERIC, begin, own_name
from curation.identifiers.lexicon import Vocabulary, alternation, listed, words
from curation.identifiers.namefinder import ORG as TAGGED
from curation.identifiers.page import FILLER, Candidate, Line, Page
from curation.identifiers.patterns import either, gated, lazy

CITIES = words("places", "cities") | words("places", "provinces")
_COUNTIES = words("counties", "counties")
_ENDINGS = words("places", "organisation_endings")
_BARE = words("places", "bare_endings")
_ALL_ENDINGS = _ENDINGS | _BARE | {"4s店", "ktv"}
_ENDING = Vocabulary(_ALL_ENDINGS)
_ENDING_HEAD = gated(_ENDING.heads)
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
_WORK = gated(
    r"上班|工作|打工|实习|兼职|任职|入职|就职|跳槽|面试|应聘|招聘|offer|辞职|离职|裁员|裁了|加班|老板|同事"
    r"|前台|单位|公司|店里|我们店|开店|开了|送货|发货|取件|发票|抬头|赞助|门店|预约|学校|毕业|念书|读书"
    r"|上学|考上|考到|大[一二三四](?![0-9])|研[一二三]|专业|校区|老师|同学|校友|届|班的|护士|医生|实习"
    r"|住院|挂号|看病|面基|集合|约在|地址|定的|订了|入住|哪家|哪个店|去过|叫|的我|就职"
)
_PLACED = lazy(
    r"(?:在|搁|喺|从|進|进了?|去了?|到|是|于|读|念|考上了?|来自|我|开|做|推|跑|家|的|就|订了?|抬头|找|跟"
    r"|请问|发票开|寄|那家|那个|看到|路过|旁边是|取)[ :]?\Z"
)
_AFTER = lazy(
    r"(?:的|前台|上班|工作|实习|那边|这边|读|念|毕业|当|做|门口|老板|老师|员工|大[一二三四]|系|学|门卫室"
    r"|还|吃|裁|呢|吗|[ ,，。!?？:、\n\ufffc]|\Z)"
)
_AFTER_BARE = lazy(
    r"拔牙|跑路|倒闭|关门|面试|报到|办卡|剪头|做头|吃|喝|买|上班|工作|实习|前台|门口|左拐|右拐|右转|左转|旁边|对面|隔壁|楼上|楼下|等[我你]|见|那个|老板|那边|这边|的(?:人|员工|老师|同事|老板|前台|[小老][\u3400-\u9fff]"
    r"|[\u3400-\u9fff]{1,3}(?:老师|师傅|经理|[总姐哥工])|[ ,，。!?？]|$)|[ ,，。!?？:、\n\ufffc]|\Z|对吧"
    r"|对吗|是吧|做|当"
)
_SCHOOLS = alternation(words("places", "known_schools"))
_SCHOOL = gated(
    rf"{_SCHOOLS}(?=的|毕业|读|念|大[一二三四]|研[一二三]|上学|那边|附近|校区|本科|硕士|博士|[ ,，。!?？\n]|$)"
)
_BEFORE_SCHOOL = frozenset("在是我你他她上去进到读念考科")
_NUMBERED = gated(
    r"(?<!大)[一二三四五六七八九十]{1,3}(?:中|小|院|高|初中|人民医院|医院|所)(?=的|毕业|读|念|上|当|做"
    r"|[ ,，。!?？\n]|$|挂号|住院)"
)
_DISTRICT = lazy(r"(?:[\u3400-\u9fff]{0,3}[市县区]|第)\Z")
# 邵东三中, 县一中, 南宁二十六中学, 市一院: a school or hospital of a place by its number, whatever follows.
_OF_A_PLACE = gated(
    r"第?[一二三四五六七八九十]{1,3}"
    r"(?:中学?(?![午间旬国心等秋年文介毒奖枪])|小学?(?![时姐伙块组会子区号孩口杯碗半段件朋步瓶包天])"
    r"|院(?![子里校长])|人民医院|医院|幼儿?园?|职高?|高中?(?![考级三二一铁速])|附[中小]|所(?![以有]))"
    r"(?:[东南西北新老]校区|[东南西北新老本]院)?"
)
_NO_DISTRICT = frozenset("小大超股夜黑早菜上老新城本")


def _region_before(text: str, at: int) -> int | None:
    """Where the name of a region begins that ends at `at`, or a bare 市, 县, 区; None where there is none."""
    district = text[at - 1 : at] in ("市", "县", "区", "镇", "省")
    for end in (at, at - 1) if district else (at,):
        for size in (5, 4, 3, 2):
            if end >= size and (text[end - size : end] in CITIES or text[end - size : end] in _COUNTIES):
                return end - size
    return at - 1 if district and text[at - 2 : at - 1] not in _NO_DISTRICT else None


# 电科十所, 中铁三局: in which somebody is.
_INSTITUTE = gated(
    r"(?<=[在进去到是])([\u3400-\u9fff]{2,4})[一二三四五六七八九十]{1,3}(?:所|院|局|厂|队|公司|处|建)(?=的"
    r"|上班|工作|做|当|[ ,，。!?？]|$)"
)
# 美丽田园龙泉店: a branch by the name of its place.
_SHOP = gated(r"(?:^|[ ,，。!?？:在去到])([\u3400-\u9fffA-Za-z]{4,12}店)(?=[ ,，。!?？]|$|的|上班|门口|等|见|取)")
# 九院, 仁济东院, 协和西院: hospitals by part of their names, where health is spoken of.
_WING = gated(r"([\u3400-\u9fff]{2,3})(?:[东西南北总本老新]院|院[东南西北]区)(?![子里落])")
_HEALTH = gated(r"妇幼|医|病|看牙|牙|护士|挂号|住院|手术|门诊|药|产检|体检|科室|大夫|床|调到|规培|开刀|检查")
_KNOWN_WING = gated(
    r"(?:(?<![\u3400-\u9fff])|(?<=[去到在的进]))[省市县区](?:妇幼|中医|人民|儿童|口腔|肿瘤)(?:保健)?(?:医?院)?|(?<![\u3400-\u9fff第])(?:[一二三四五六七八九]院|[省市县区]院)(?![子里长落])|(?<=[去到在的进])[一二三四五六七八九]院(?![子里长落])"
)
_OF_HEALTH = either(_WING, _KNOWN_WING)
# The answer to a question for a firm, a school or a hospital.
_ASKS_FOR = gated(
    r"(?:哪个?|什么|啥|哪家|哪间|那个)(?:公司|单位|学校|大学|高中|初中|小学|医院|厂|店|机构|银行|幼儿园|饭店|餐厅|驿站|网点|平台|部门|中介)"
    r"|(?:公司|单位|学校|店名?|厂|饭店|机构|名字|你们店|医院|工厂|餐厅|酒店|民宿|书店|驾校)(?:的?名字?)?(?:叫什么|叫啥|是哪|是哪个|是哪家|全称|名称|在哪)"
    r"|(?:在|搁)哪里?儿?(?:上班|上学|读书|工作|实习|高就|念书|打工|做事|读大学|教书)|哪里(?:高就|上班)|哪所|开户行|抬头|哪个学校"
)
_ORGANISED = lazy(
    r"^(?:就?在|是|叫|我?在|我是|我们?(?:是|叫|在)|去|到|到了"
    r"|我[读念])?[ :]?([\u3400-\u9fffA-Za-z0-9]{3,12}?)(?:的|里|那边|这边|上班|做[\u3400-\u9fff]{2,4}"
    r"|当[\u3400-\u9fff]{2,4})?"
    r"(?=[ ,，。!?？]|$)"
)
_NO_ANSWER = lazy(
    r"哈喽|你好|您好|嗨|嗯|哈哈|找|别的|[我你他她它这那哪啥吗呢吧啊呀了么谁怎]|什么|没有|不|自己|一样|知道|随便|看看|就是|还|都|可以|离职|辞职|失业|待业|自由|已经|毕业|国企|私企|外企|央企|事业单位|互联网|上班|楼|路|号"
    r"|附近|旁边|对面|北京|上海|广州|深圳|杭州|很|太|有点|有个|一个|今天|明天|昨天|现在|以前|之前|刚|正|等|马上|公司$|老家"
)
_COMPANIES = alternation(words("places", "known_companies"))
_COMPANY = gated(
    rf"{_COMPANIES}(?:公司|集团|总部)?(?=上班|工作|实习|做|干|当|任职|裁|那边|里面|的?(?:offer|员工|同事|工资|班)|搞)"
)
_BEFORE_COMPANY = lazy(r"(?:^|[在进去是于从]|我们|入职|跳槽到|实习)\Z")
_WORKPLACE = gated(
    r"(?:在|搁|喺)([\u3400-\u9fffA-Za-z0-9]{2,12}?)(?:上班|工作|打工|实习|任职|就职|当(?!时|然|天|年|场|面"
    r"|初)|做(?:运营|销售|前台|老师|护士|会计|客服|人事|行政|设计|开发|程序|财务|保安|文员|采购|收银)"
    r"|跑工程|读书|念书|上学|读(?:大|研|初|高|博)|念(?:大|研|初|高|博|$)|教书)"
)
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
    done = 0
    for head in line.each(_ENDING_HEAD):
        at = head.start()
        if at >= done and (end := _ENDING.end(text, at)) > at:
            done = end
            yield from _with_ending(page, index, line, at, end)
    for match in line.each(_SCHOOL):
        before = text[match.start() - 1 : match.start()]
        if not before or before in _BEFORE_SCHOOL or not "\u3400" <= before <= "\u9fff":
            yield Candidate(*match.span(), ORG, 0.76, "organisation:known")
    for match in line.each(_NUMBERED):
        district = _DISTRICT.search(text, max(0, match.start() - 4), match.start())
        start = begin(line, match.start(), district.start()) if district else match.start()
        yield Candidate(start, match.end(), ORG, 0.74, "organisation:numbered")
    if line.finds(_ANY_NUMBER):
        for match in line.each(_OF_A_PLACE):
            region = _region_before(text, match.start())
            if region is not None:
                start = begin(line, region + 1, max(0, region - 3))
                yield Candidate(start, match.end(), ORG, 0.74, "organisation:numbered")
        for match in line.each(_INSTITUTE):
            start = begin(line, match.end(1), match.start(1))
            if match.end(1) - start >= 2 and own_name(text[start : match.end(1)]):
                yield Candidate(start, match.end(), ORG, 0.66, "organisation:numbered")
    if text.count("店") == 1 and (shop := line.finds(_SHOP)):
        start = begin(line, shop.end() - 1, shop.start(1))
        if shop.end() - start >= 5 and own_name(text[start : shop.end() - 1]):
            yield Candidate(start, shop.end(), ORG, 0.58, "organisation:branch")
    if (
        line.may(_OF_HEALTH)
        and ("院" in text or "妇幼" in text or "中医" in text)
        and any(one.finds(_HEALTH) for one in page.lines[max(0, index - 2) : index + 3])
    ):
        for match in line.each(_WING):
            start = begin(line, match.end(1), match.start())
            if match.end(1) - start >= 2 and own_name(text[start : match.end(1)]):
                yield Candidate(start, match.end(), ORG, 0.66, "organisation:wing")
        for match in line.each(_KNOWN_WING):
            yield Candidate(*match.span(), ORG, 0.62, "organisation:wing")
    if index and page.lines[index - 1].finds(_ASKS_FOR):
        answer = _ORGANISED.match(text)
        if answer and not _NO_ANSWER.search(answer[1]) and own_name(answer[1]) and answer[1] not in _ELSEWHERE:
            yield Candidate(*answer.span(1), ORG, 0.62, "organisation:answer")
    for match in line.each(_COMPANY):
        if _BEFORE_COMPANY.search(text, max(0, match.start() - 4), match.start()):
            yield Candidate(*match.span(), ORG, 0.76, "organisation:known")
    for match in line.each(_WORKPLACE):
        name = match[1]
        if (
            name not in _NOT_WORK
            and not _WHICH.search(name)
            and len(name) > 2
            and name not in CITIES
            and name not in GENERIC
            and own_name(name)
            and not _COMMON_PLACE.search(name)
        ):
            start = begin(line, match.end(1), match.start(1))
            if match.end(1) - start >= 2:
                yield Candidate(start, match.end(1), ORG, 0.7, "organisation:workplace")
    for match in line.each(_TREATED):
        start = begin(line, match.start(), max(0, match.start() - 5))
        if match.end(1) - start >= 4:
            yield Candidate(start, match.end(1), ORG, 0.66, "organisation:hospital")
    for match in line.each(_PRESENTED):
        name = match[1]
        told = any(one.finds(_RECRUITS) for one in page.lines[max(0, index - 2) : index + 3])
        if told and own_name(name) and name not in _NOT_WORK and not _COMMON_PLACE.search(name):
            yield Candidate(*match.span(1), ORG, 0.64, "organisation:presented")
    for start, end, tag in line.words:
        if tag == TAGGED:
            yield from _tagged(line, start, end)


def _tagged(line: Line, start: int, end: int) -> Iterator[Candidate]:
    """What the tagger takes for an organisation, with an ending that it cut off: 川化|厂."""
    text = line.text
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    name = text[start:end]
    if (
        not _DIALECT.isdisjoint(name)
        or name in CITIES
        or name in _COUNTIES
        or name in _EVERYBODYS
        or name in GENERIC
        or FILLER in name
    ):
        return
    if end - start >= 2 and _WORKS_THERE.match(text, end) and _PLACED.search(text, max(0, start - 4), start):
        yield Candidate(start, end, ORG, 0.74, "organisation:tagged")
    elif (
        end - start == 2
        and not name.isascii()
        and line.finds(_MOVES)
        and _PLACED.search(text, max(0, start - 4), start)
    ):
        yield Candidate(start, end, ORG, 0.56, "organisation:tagged")
    if end - start >= 4 and own_name(name) and (_BRANCH.search(name) or name[-2:] in _ALL_ENDINGS):
        yield Candidate(start, end, ORG, 0.8, "organisation:tagged")
    if end - start >= 2 and own_name(name) and not name.isascii() and (cut := _CUT_OFF.match(text, end)):
        yield Candidate(start, cut.end(), ORG, 0.66, "organisation:tagged")
    elif end - start >= 3 and own_name(name) and all("\u3400" <= c <= "\u9fff" for c in name) and not _everyday(name):
        yield Candidate(start, end, ORG, 0.54, "organisation:tagged")


def _everyday(name: str) -> bool:
    """Whether what only the tagger takes for a firm is talk: 关门儿, 体重勒, 大兴骑骑, 十万八千里, 在工地, 美团券."""
    return (
        name in _NO_FIRMS
        or name[0] in "在准转"
        or name[-1] in "儿勒呗咯嘞呐哒"
        or name[-1] == name[-2]
        or sum(c in "一二两三四五六七八九十百千万亿零半" for c in name) >= 3
        or (name[-1] in "店券号群单卡" and name[:-1] in _EVERYBODYS)
    )


_NO_FIRMS = frozenset(listed("小牛马 大牛马 老牛马 牛马们 光明正大 乱七八糟 马马虎虎"))
_DIALECT = frozenset("係佢喺嘅啲咗嗰冇唔哋嚟畀睇攞乜侬伐阿拉嘞")
_ANY_NUMBER = gated(r"[一二三四五六七八九十](?:中|小|院|人民|医院|幼|职|高|附|所)")
_CUT_OFF = lazy(
    r"(?:厂|店|行|矿|所|站|馆|局|社|院|酒店|公司|集团|学院|中学|小学|医院|药店|超市)(?=的|上班|做|当|工作"
    r"|加班|门口|那边|[ ,，。!?？]|$)"
)
_ELSEWHERE = frozenset(
    listed(
        "幼儿园 医院里 学校里 公司里 工厂 工地上 办公室 图书馆 外卖员 服务员 程序员 公务员 学生会 大学生 高中生 研究生"
    )
)
# Services everybody uses: to name one says nothing of a person.
_EVERYBODYS = frozenset(
    listed(
        """
    美团 滴滴 滴滴滴 淘宝 京东 拼多多 支付宝 微信 腾讯 抖音 快手 微博 知乎 豆瓣 百度 携程 饿了么 哔哩哔哩
    小红书 闲鱼 唯品会 苏宁 国美
    联想 华为 小米 苹果 三星 丰田 本田 大众 宝马 奔驰 奥迪 比亚迪 特斯拉 吉利 五菱 耐克 阿迪达斯 香飘飘
    海底捞 肯德基 麦当劳 星巴克
    瑞幸 蜜雪冰城 喜茶 沃尔玛 盒马 宜家 优衣库 屈臣氏 顺丰 圆通 中通 申通 韵达 德邦 极兔 菜鸟 丰巢 移动 联通
    电信 中国移动 中国联通
    中国电信 网易 新浪 搜狐 爱奇艺 优酷 央视 国务院 联合国 教育部 卫健委 公安部 湖南卫视 国家队 国足 皇马
    雅马哈 康师傅 网易云
    巴萨 湖人 勇士 火箭队 快递单
    奈雪 库迪 古茗 茶百道 沙县 名创优品 必胜客 汉堡王 德克士 老乡鸡 华莱士 塔斯汀 学习强国 学生会 团委 党委 工会 居委会 派出所
    """
    )
)
_BRANCH = lazy(
    r"(?:分行|支行|分局|大队|支队|中队|营业部|事业部|分公司|研究所|中心|医院|学校|学院|大学|中学|小学|公司|集团)\Z"
)
_PRESENTED = gated(
    r"(?:^|[ ,，。!?？])(?:我们?|咱们?|俺们?|这里|这边|这儿|我司)?(?:是|系)([\u3400-\u9fffA-Za-z0-9]{3,10}?)"
    r"(?:教务处|人事部?|财务处?部?|客服部?|前台|销售部?|招聘组?|行政部?|学工处|班主任|物业)?的(?=$|[ ,，。!?？])"
)
_RECRUITS = gated(
    r"面试|简历|应聘|岗位|招聘|hr|HR|客服|售后|回访|猎头|快递|送货|预约|报名|课程|顾问|信息有误|同学你好|您好|同学"
)
# 辽宁中医, 市妇幼: hospitals by their short names, where somebody goes for treatment.
_TREATED = gated(
    r"((?:中医|妇幼|附一|附二|一院|二院|三院|口腔|肿瘤|骨科|儿童|眼科|人民))(?:医院)?(?=拔牙|洗牙|补牙|种牙|矫正|做检查|做胃镜|做核磁|抓药|看病|看医生|看牙|挂号|住院|做手术"
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
    if (ending in _WEAK_ENDINGS and len(name) < 3) or _AMOUNT.match(name):
        return
    placed = start == 0 or text[start - 1] in _SIGNS or _PLACED.search(text, max(0, start - 4), start) is not None
    after = _AFTER.match(text, end) is not None
    spoken = _talk(page, index) or _NEAR_IT.match(text, end) is not None
    alone = (start == 0 or text[start - 1] in _SIGNS) and (end == len(text) or text[end] in _SIGNS)
    if ending not in _COMMON:
        score = 0.86 if placed and after else 0.8 if placed or after else 0.66
    elif ending not in _BARE and ending not in _WEAK_ENDINGS:
        score = 0.82 if placed and after else 0.7 if placed or spoken else 0.5
    elif alone or (start and placed and text[start - 1] not in _SIGNS and _AFTER_BARE.match(text, end)):
        score = 0.78 if spoken else 0.66
    elif spoken and placed and _AFTER_BARE.match(text, end):
        score = 0.6
    elif placed and _WHOSE.match(text, end):
        score = 0.62
    else:
        return
    if ending in _BARE and len(name) > 4 and not alone and start not in line.cut:
        score -= 0.15
    if line.words and score < 0.8 and len(name) > 4 and start and start not in line.cut:
        score -= 0.2
    if campus := _CAMPUS.match(text, end):
        end = campus.end()
    if score >= 0.5:
        yield Candidate(start, end, ORG, round(score, 2), "organisation")


_CAMPUS = lazy(r"[东南西北中新老]?(?:校区|院区|分校|分院|分部)|[东南西北]区(?![\u3400-\u9fff])")


_WHOSE = lazy(r"的(?:[小老阿][\u3400-\u9fff]|[\u3400-\u9fff]{1,3}(?:老师|师傅|经理|主任|[总姐哥工]))")
_AMOUNT = lazy(r"[0-9一二两三四五六七八九十半几]+[包袋份盒个斤碗杯瓶桶串只块顿家]")
_MOVES = gated(r"离职|跳槽|入职|offer|面试|上班|实习|校招|秋招|[去进]了?[\u3400-\u9fff]{2}了")
_WHICH = lazy(r"什么|啥|哪|几|怎么")
_NEAR_IT = lazy(r"门口|左拐|右拐|右转|左转|旁边|对面|隔壁|楼上|楼下|等[我你]|见|碰头|集合")


def _talk(page: Page, index: int) -> bool:
    """Whether work, school or a visit is spoken of here or just before."""
    return any(_speaks(line) for line in page.lines[max(0, index - 2) : index + 1])


def _speaks(line: Line) -> bool:
    return line.finds(_WORK) is not None
