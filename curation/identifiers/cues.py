"""The words that say what a number or a handle is: 电话, 身份证, 加v, 企鹅号, 订单.

A cue names a kind. Some kinds are ours, some only say that what follows is *not* ours (an order number, a
door code, a price). All patterns run on folded, lower-case text; none can take more than linear time.
"""

from __future__ import annotations

from dataclasses import dataclass

from curation.identifiers.kinds import (
    BANK_CARD,
    EMAIL,
    GEO,
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
from curation.identifiers.patterns import headed, lazy

NOTHING = "nothing"  # words that hold a cue without being one: QQ音乐, 微信运动
OTHER = "other"  # what names a number that is none of ours: a staff number, a train

# Kinds in the order in which they are tried at one place; within a kind, longer words first.
_PATTERNS: tuple[tuple[str, str], ...] = (
    (
        NOTHING,
        r"qq ?(?:音乐|空间|飞车|炫舞|农场|浏览器|红包|邮箱|会员|糖|弹弹)"
        r"|(?:微信|wx|vx)(?:运动|支付|红包|步数|转账|读书|公众号|小程序|朋友圈|状态|头像|零钱|钱包)"
        r"|(?:手机|电话)(?:没电|坏|壳|膜|费|卡顿|响|游戏|钱包|上|里|屏|断电)|手机还是|卫星(?:导航|定位|云图"
        r"|电视|发射)"
        r"|企鹅(?:岛|宝宝|馆)|打电话(?=给|$)|(?:iphone|手机|苹果)[0-9]{1,2}(?![0-9])",
    ),
    (EMAIL, r"(?:电子)?(?:邮箱|邮件|郵箱|電郵)|e-?mail|(?<![a-z])mail"),
    (
        WECHAT,
        r"(?:微信|威信|薇信|徽信|卫星|衛星|加个?微(?![信博])|[微威薇徽][❤♥💚]|wei信|v信|v❤)(?:id|号|號|账号)?"
        r"|wechat(?: ?id)?|weixin|绿泡泡|绿色软件"
        r"|(?:加|➕|\+|我的?|个|個|私|号|普通|发)(?:❤|♥|💚|薇|威|v(?=[^a-z0-9]|$)|vx?(?=[a-z][a-z0-9_-]{4}))"
        r"|加我(?= ?[a-z])|扫我(?:的?码)?|加(?:一?下)?好友|加个?联系方式|二维码(?=扫不|加不|过期)"
        r"|(?<=加)(?:v|vx|wx)(?=[a-z0-9_-]{5})|薇(?=[ :号是]|$)"
        r"|(?<![a-z0-9])(?:vx|wx)(?![a-z])|(?<![a-z0-9])v(?=[ :号]|多少|$)"
        r"|(?<![a-z0-9])[vw]x(?!id_)(?=[a-z][a-z0-9_-]{4})",
    ),
    (
        QQ,
        r"(?<![a-z0-9])qq(?:群|号|號|区)*|扣扣(?:号|群)*|企鹅(?:号|群)*|🐧|球球(?:号)?|秋秋(?:号)?|群号"
        r"|扣(?=[他她我你])|(?<=加我)扣|(?<=我的)扣|扣(?= ?[:是]? ?[0-9])"
        r"|(?:加|进)(?:一?下|个|我)?群(?=[ :是]*[0-9])|群也[进加]|这个群(?=[ :是]*[0-9])"
        r"|(?<=加我)小号|(?<=我)小号(?=[ :是]*[0-9一二三四五六七八九①-⑨])"
        r"|(?<=[加个個我上你])q(?![a-z])|(?<![a-z0-9])q(?=[:号群区 ]*[0-9]{5})|q区|这个扣|(?<=[加个])扣",
    ),
    (PLATE, r"车牌号?|車牌號?|牌照|号牌|我的?车是|开的?车|车是"),
    (GEO, r"坐标|座標|坐標|经纬度|經緯度|定位"),
    (
        TRACKING,
        r"(?:订|運|运|退|快递|物流|面)单号?|订单截图|訂單號?|(?<![简菜买名保])单号|單號|快递号|运单|運單|票号"
        r"|票號|流水号|取票号|出票|票出|出了(?=[ ,]*[a-z][0-9])"
        r"|顺丰|圆通|圓通|中通|韵达|申通|德邦|极兔|物流号|包裹号|预订号|確認號|确认号",
    ),
    (OTHER, r"编号|序列号|车次|航班|房间号|门牌|报名号|股票|代码"),
    (
        SECRET,
        (
            r"验证码|驗證碼|动态码|校验码|取件码|取货码|取餐码|提取码|密码锁?|密碼|会议号|會議號|会议id"
            r"|口令(?:红包)?|门禁|門禁|暗号|邀请码|激活码|兑换码|券码|凭码|锁屏|门锁"
            r"|(?:进群|入群|验证|问题)答案|(?:验证|申请|进群)(?=写|填|信息)|验证问题|passcode|password|(?<![a-z])pwd"
            r"|(?<=[ ,])密(?=[: ]?[a-z0-9]{4})|开门|解锁|初始(?=是|密)|备用(?:密码|数字|码)|图案|手势"
            r"|九宫格|wifi密|锁码|保险柜|行李箱(?=.{0,4}[0-9一二三四五六七八九零幺])"
        ),
    ),
    (
        HANDLE,
        (
            r"抖音号?|(?:我|你|他|她|有)抖(?![音擞腿动落机])|(?<=[ ,])抖(?=也|[ :]|互)|(?:小红书|小红薯|小🍠|快手"
            r"|陌陌|微博|知乎|豆瓣|探探|小绿书)号?|b站|营地|互关"
            r"|(?:网易云|酷狗|全民k歌|唱吧|闲鱼|转转|领英|脉脉|探店号|视频号|公众号|小店|(?<![a-z])soul)(?:id|号|名)?"
            r"|(?<![a-z])(?:dy|wb|ks|xhs|linkedin|ig|ins|tg|tele|line|telegram|twitter|instagram|facebook|fb|steam|uid|pid"
            r"|discord|snapchat)(?:[ :]?id)?(?![a-z])"
            r"|游戏(?:id|昵称|名字?)|昵称(?=也|改|换|叫|是|:)"
            r"|(?:哪个|大|几)区(?=[\u3400-\u9fff ]{0,6}$)"
            r"|(?:王者|原神|吃鸡|和平精英|蛋仔|lol|永劫|第五)(?:荣耀|派对)?(?:区服|账号|名字|昵称|id|号|呢|叫啥|叫什么)"
            r"|区服名字?|钉钉|飞书|推特|(?:快手|抖音"
            r"|微博|b站)账号|(?:直播间|频道|个人)号|主页"
        ),
    ),
    (
        ID_NUMBER,
        r"身份证|身份證|身分證|身份号|证件|證件|证号|護照|护照|通行证|通行證|回乡证|回鄉證|台胞证|臺胞證"
        r"|居住证|居住證"
        r"|军官证|士兵证|住院号|病历号|门诊号|就诊卡号?|准考证号?|考生号|档案编?号|社保卡号?|饭卡号?|学生证|借书证|会员卡号?|残疾证|老年证|工作证|护士证|资格证|结婚证|房产证|营业执照|导游证|記者证|记者证|学号|工号|考籍号|驾驶证号?|驾照号?|行驶证|学籍号|医保卡?号?|hkid|税号|稅號|户口|社保号",
    ),
    (
        BANK_CARD,
        r"银行卡|銀行卡|卡号|卡號|打卡|信用卡|储蓄卡|借记卡|备用卡|账户|帳戶|账号|帳號|户名|开户|哪张卡|转卡"
        r"|(?:农|工|建|招|交|中|邮)行|农业银行|工商银行|建设银行|招商银行|银行|邮政|民生|浦发|兴业|光大|华夏"
        r"|中信|平安|广发",
    ),
    (
        PHONE,
        r"电话|電話|手机号?|手機|座机|座機|固话|联系方式|聯繫方式|联系我|号码|號碼|打我|打给|打你|打他|打她"
        r"|到了打|拨打|打[俾畀]我|打[俾畀]佢|call我"
        r"|热线|虚拟号|新号|换号|老号|我号|存我|(?<![a-z])(?:call|tel|phone|whatsapp|mobile|cell)(?![a-z])"
        r"|打店里|(?:澳門|香港|台湾|台灣)[号號]"
        r"|支付宝(?:账号|号)?(?!账单|余额|到账|扣|里|上|花呗|付|转|红包|收款|二维码)",
    ),
    (URL, r"链接|連結|网址|網址|网盘|服务器|(?<![a-z])ip(?=[:是 ])"),
)
_CUE = headed("|".join(f"(?P<k{number}>{pattern})" for number, (_, pattern) in enumerate(_PATTERNS)))
_TAIL = lazy(r"尾号|尾數|尾数|后[四4六6](?:位|个数)|末[四4]位")


@dataclass(frozen=True, slots=True)
class Cue:
    """A word at `start..end` of the folded text that names a `kind`."""

    start: int
    end: int
    kind: str


def cues_in(low: str) -> tuple[Cue, ...]:
    """All cues of a folded, lower-case text, in order."""
    found = []
    for match in _CUE.finditer(low):
        kind = _PATTERNS[int((match.lastgroup or "k0")[1:])][0]
        if kind != NOTHING:
            found.append(Cue(match.start(), match.end(), kind))  # OTHER too: it says what a number is not
    return tuple(found)


def tails_in(low: str) -> tuple[tuple[int, int], ...]:
    """Where the text speaks of the last digits of a number."""
    return tuple(match.span() for match in _TAIL.finditer(low))
