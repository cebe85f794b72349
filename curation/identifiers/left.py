"""Where a place or an organisation begins: Chinese puts no space before it, so the words before it must end."""

from __future__ import annotations

from bisect import bisect_right

from curation.identifiers.lexicon import Vocabulary, listed, words
from curation.identifiers.page import Line
from curation.identifiers.patterns import lazy

LONGEST = 12  # characters of a name before its ending

# What ends before a name begins; never part of one except in the words below.
_ENDS = frozenset(
    "在住到去来來从從是的了过過着给給寄送放往回换換找让讓叫和与與跟或及把被要有没也都就还還才只请請于於我你妳他她它咱俺您们們这這那边邊般又再说說看见見个個"
    "址逛吧呢啊呀哦嘛吗嗎吃喝走跑搬租买買卖賣想对對问問接用拿取等嗰喺咗嚟俾系係咩做开開帮幫搁读讀念考进進上得查写寫报報定订訂推存改收叫开為为因但可不很真挺家每哪咋啥"
)
_PROTECTED = listed(
    """
    和平 来福 回龙 回民 都江 成都 三都 丰都 于都 过街 都市 开发 开元 开封 开平 开阳
    遇见 看见 初见 念念 小说 走心 开明 跑堂 来者 等风 有花 有鱼 有茶 有味 有缘 有山
    有恒 到岸 进贤 进修 上海 上饶 上虞 上城 上杭 定州 定西 定海 定安 改则 买买 做寨
    得胜 用心 见山 写字 读书 报业 吃货 推广 和顺 和田 和县 和谐 和睦 平和 泰和 人和
    中和 仁和 家园 家属 家具 家居 宜家 张家 石家 李家 王家 刘家 陈家 赵家 杨家 马家
    周家 徐家 高家 孙家 朱家 林家 何家 郭家 罗家 郑家 宋家 冯家 曹家 万家 汇家 世家
    名家 国家 乡家 还乡 请仙 对外 上地 上庄 上林 海上 江上 山上 云上 水上 天上 陌上
    湖上 为民 惠民 问天 用友 不夜 不老 真如 得月 改革 定福 定慧 开心 看丹 考拉 送变
    放马 走马 跑马 回春 来广 来宾 过江 有色 可园 可乐 要塞 因特 个旧 对山 收藏 收费
    收容 写意 写真 推拿 接官 等驾 买卖 卖场 开水 开关 报国 上网 存取 存真 家政 家电
    家教 家庭 家常 订制 定制 定点 服务 不二 不知 不晚 过客 有间 有家 有氧 读者 念慈
    """
)


def begin(line: Line, at: int, limit: int) -> int:
    """Where the name that ends at `at` begins, not before `limit`: back over letters and digits until something
    that ends before names, or the beginning of a word of the tagger that holds such a character."""
    text = line.text
    lowest = max(limit, at - LONGEST)
    start = at
    while start > lowest:
        char = text[start - 1]
        if not (char.isalnum() or char in "·-"):
            break
        if char in _ENDS and not _inside(text, start - 1):
            covering = _name_over(line, start - 1, at)
            if covering is None or covering < lowest:
                break
            start = covering
            continue
        start -= 1
    while start < at and text[start] in "-·":
        start += 1
    return start


def _inside(text: str, at: int) -> bool:
    """Whether the character at `at` is part of a word that names may hold, or joins the halves of one: 云和老街."""
    if text[at] in "和與与" and at >= 2 and _HALF.search(text, max(0, at - 5), at):
        return True
    return text.startswith(_PROTECTED, at) or (at > 0 and text.startswith(_PROTECTED, at - 1))


_HALF = lazy(rf"(?:(?<![\u3400-\u9fff])|^)[^\W{''.join(sorted(_ENDS))}]{{2,4}}(?<![路街道巷园苑口你我他她])\Z")


def _name_over(line: Line, at: int, end: int) -> int | None:
    """Where a place or organisation of the tagger begins that holds both `at` and what follows it."""
    spans = line.names_tagged
    place = bisect_right(spans, (at, len(line.text) + 1)) - 1
    if place >= 0:
        start, stop = spans[place]
        if start < at < stop - 1 and stop >= min(end, at + 3):
            return start
    return None


GENERIC = words("places", "generic")
_GENERIC = Vocabulary(GENERIC)


def own_name(name: str) -> bool:
    """Whether something is left of `name` when words that name nothing are taken off its front."""
    at = 0
    while (end := _GENERIC.end(name, at)) > at:
        at = end
    rest = name[at:]
    return len(rest) >= 2 or (bool(rest) and (rest != name or rest.isdigit()))
