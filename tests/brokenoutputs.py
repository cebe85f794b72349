"""Made-up model outputs, broken in many ways, each with what it says or that it must be refused.

Nothing here was written by a model: the words are invented and put together by number, the same each time.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from curation.work.asking import PROCESS, Words

ZH = ("对方的动机", "对方的原因", "对方的情感态度", "你的社交意图", "你的沟通技巧", "你的回复")
EN = ("Motivation", "Cause", "Emotional Attitude", "Social Intention", "Communicative Strategy", "Response")
PARTS = (*PROCESS, "reply")

_TEXTS: dict[str, tuple[str, ...]] = {
    "motivation": ("想被人惦记，又不好意思先开口", "要一个台阶下", "看看你会不会哄她", "想把见面的日子定下来"),
    "cause": ("上次约好了没去成，心里一直记着", "刚加完班，又累又饿", "前面你回得很慢", "朋友都成双成对，就她一个人"),
    "emotion": ("嘴上嫌弃，其实在撒娇", "失望里带着一点期待", "有点生气：觉得被敷衍了", "放松，愿意多说两句"),
    "intention": ("最终意图是走近一步；当前意图是先把气氛缓下来", "推进关系", "守住自己的节奏", "试探她是不是认真的"),
    "strategy": ("先认错，再给一个具体的安排", "用玩笑接住，再反问一句", "顺着她的话往下说", "给选择：周六还是周日"),
    "reply": (
        "那我周六去接你[/偷笑]",
        "你说了算，我买单",
        "哎哟，还记着呢😂",
        "行，七点老地方见",
        "累不累，先吃饭？",
        "才不信呢～",
    ),
}


@dataclass(frozen=True)
class Broken:
    """A broken output. `says` is what it must be read as; None when it must be refused, and `code` says with which code."""

    kind: str
    mode: str
    text: str
    says: Words | None
    code: str = ""


def fields(number: int) -> dict[str, str]:
    """The parts of an invented answer."""
    return {part: _TEXTS[part][(number * (3 + n)) % len(_TEXTS[part])] for n, part in enumerate(PARTS)}


def dumped(made: dict[str, str], keys: tuple[str, ...] = ZH, **options: object) -> str:
    """The answer as JSON."""
    named = dict(zip(keys, (made[part] for part in PARTS), strict=True))
    return json.dumps(named, ensure_ascii=False, **options)  # type: ignore[arg-type]


def words(made: dict[str, str], **other: str) -> Words:
    """What the answer says."""
    said = {**made, **other}
    return Words(said["reply"], {name: said[name] for name in PROCESS})


Make = Callable[[dict[str, str]], str]
_SWAP = str.maketrans({"{": "｛", "}": "｝", ":": "：", ",": "，"})


def _outside(text: str, change: Callable[[str], str]) -> str:
    """Change what stands outside the strings of a JSON text."""
    parts = text.split('"')
    return '"'.join(part if n % 2 else change(part) for n, part in enumerate(parts))


def _quoted(text: str, opening: str, closing: str) -> str:
    parts = text.split('"')
    return "".join(p + ((closing if n % 2 else opening) if n < len(parts) - 1 else "") for n, p in enumerate(parts))


def _lines(made: dict[str, str], form: str) -> str:
    return "\n".join(
        form.format(n=n, key=key, text=made[part]) for n, (key, part) in enumerate(zip(ZH, PARTS, strict=True), 1)
    )


def _renamed(made: dict[str, str]) -> str:
    keys = ("动机", "原因", "情感态度", "社交意图", "沟通策略", "回复")
    return dumped(made, keys)


def _nested(made: dict[str, str]) -> str:
    one = dict(zip(ZH, (made[part] for part in PARTS), strict=True))
    groups = {"对方视角": {k: one[k] for k in ZH[:3]}, "自己视角": {k: one[k] for k in ZH[3:5]}, ZH[5]: one[ZH[5]]}
    return json.dumps(groups, ensure_ascii=False, indent=1)


MENDS: dict[str, Make] = {
    "valid": dumped,
    "valid, English keys": lambda m: dumped(m, EN),
    "keys of the program": lambda m: dumped(m, PARTS),
    "indented": lambda m: dumped(m, indent=2),
    "mark and blanks around": lambda m: "\ufeff \n" + dumped(m) + "\r\n\r\n",
    "code fence": lambda m: f"```json\n{dumped(m, indent=2)}\n```",
    "code fence without a language": lambda m: f"```\n{dumped(m)}\n```",
    "tilde fence": lambda m: f"~~~json\n{dumped(m)}\n~~~",
    "the word json before": lambda m: f"json\n{dumped(m)}",
    "prose before": lambda m: f"好的，下面是我的分析：\n\n{dumped(m)}",
    "prose after": lambda m: f"{dumped(m)}\n\n希望对你有帮助！",
    "prose and fence": lambda m: f"Sure! Here it is:\n```json\n{dumped(m)}\n```\nLet me know.",
    "trailing comma": lambda m: dumped(m)[:-1] + ",}",
    "trailing comma and break": lambda m: dumped(m, indent=1)[:-2] + ",\n}",
    "Chinese quotes": lambda m: _quoted(dumped(m), "“", "”"),
    "Chinese quotes, all opening": lambda m: dumped(m).replace('"', "“"),
    "Chinese everything": lambda m: _quoted(_outside(dumped(m), lambda p: p.translate(_SWAP)), "“", "”"),
    "corner quotes": lambda m: _quoted(dumped(m), "「", "」"),
    "full-width quotes": lambda m: dumped(m).replace('"', "＂"),
    "Chinese colons": lambda m: _outside(dumped(m), lambda p: p.replace(":", "：")),
    "Chinese commas": lambda m: _outside(dumped(m), lambda p: p.replace(",", "，")),
    "Chinese braces": lambda m: _outside(dumped(m), lambda p: p.replace("{", "｛").replace("}", "｝")),
    "semicolons between": lambda m: _outside(dumped(m), lambda p: p.replace(",", ";")),
    "keys straight, values Chinese": lambda m: (
        "{" + ", ".join(f'"{k}": “{m[p]}”' for k, p in zip(ZH, PARTS, strict=True)) + "}"
    ),
    "single quotes": lambda m: _quoted(dumped(m), "'", "'"),
    "backticks": lambda m: _quoted(dumped(m), "`", "`"),
    "keys without quotes": lambda m: "{" + ", ".join(f'{k}: "{m[p]}"' for k, p in zip(ZH, PARTS, strict=True)) + "}",
    "no commas": lambda m: _outside(dumped(m), lambda p: p.replace(",", " ")),
    "no commas, lines": lambda m: _outside(dumped(m), lambda p: p.replace(",", "\n")),
    "last brace missing": lambda m: dumped(m)[:-1],
    "last quote missing": lambda m: dumped(m)[:-2] + "}",
    "doubled braces": lambda m: "{" + dumped(m) + "}",
    "line comments": lambda m: dumped(m, indent=1).replace('",\n', '", // 见上文\n'),
    "block comments": lambda m: dumped(m).replace('", "', '", /* 下一项 */ "'),
    "escaped quotes": lambda m: dumped(m).replace('"', '\\"'),
    "entities": lambda m: html.escape(dumped(m)),
    "JSON in a string": lambda m: json.dumps(dumped(m), ensure_ascii=False),
    "a list of one": lambda m: f"[{dumped(m)}]",
    "twice the same": lambda m: f"{dumped(m)}\n{dumped(m)}",
    "thoughts before": lambda m: f"<think>\n她是不是生气了？{{不一定}}\n</think>\n{dumped(m)}",
    "thoughts without their opening": lambda m: f"她大概累了。\n</think>\n\n{dumped(m)}",
    "renamed keys": _renamed,
    "numbered keys": lambda m: dumped(m, tuple(f"{n}. {key}" for n, key in enumerate(ZH, 1))),
    "emphasised keys": lambda m: dumped(m, tuple(f"**{key}**" for key in ZH)),
    "lower case and underscores": lambda m: dumped(m, tuple(key.lower().replace(" ", "_") for key in EN)),
    "groups": _nested,
    "one more key": lambda m: dumped(m)[:-1] + ', "置信度": "高"}',
    "lines with headings": lambda m: _lines(m, "{key}：{text}"),
    "lines with bold headings": lambda m: _lines(m, "**{key}**：{text}"),
    "lines with bold headings and colons": lambda m: _lines(m, "- **{key}：** {text}"),
    "numbered lines": lambda m: _lines(m, "{n}. {key}: {text}"),
    "lines after prose": lambda m: "分析如下\n\n" + _lines(m, "### {key}：\n{text}\n").rstrip(),
}

REFUSED: dict[str, tuple[Make, str]] = {
    "nothing": (lambda m: "  \n", "no_object"),
    "prose alone": (lambda m: "她可能有点累了，可以先关心一下，再约时间。\n语气要轻松。", "no_object"),
    "cut in the reply": (lambda m: dumped(m)[:-4], "truncated"),
    "cut in the process": (lambda m: dumped(m)[:60], "truncated"),
    "cut before the reply": (lambda m: dumped(m).rpartition(", ")[0], "no_reply"),
    "cut in its thoughts": (lambda m: "<think>她大概是累了，那么我先", "truncated"),
    "no reply": (lambda m: "{" + dumped(m).rpartition(", ")[0][1:] + "}", "no_reply"),
    "reply twice": (lambda m: dumped(m)[:-1] + ', "你的回复": "算了不去了"}', "duplicate_key"),
    "reply twice, broken": (lambda m: dumped(m)[:-1] + ', "你的回复": "算了不去了",}', "duplicate_key"),
    "reply in two languages": (lambda m: dumped(m)[:-1] + ', "Response": "never mind"}', "several_replies"),
    "two objects": (lambda m: dumped(m) + "\n" + dumped({**m, "reply": "算了不去了"}), "several_objects"),
    "a draft and another": (
        lambda m: f"初稿：\n```json\n{dumped(m)}\n```\n定稿：\n```json\n{dumped({**m, 'reply': '改天吧'})}\n```",
        "several_objects",
    ),
    "a list of two": (lambda m: f"[{dumped(m)}, {dumped({**m, 'reply': '改天吧'})}]", "several_objects"),
    "a choice of replies": (lambda m: dumped(m).replace(f'"{m["reply"]}"', '["好呀", "改天吧"]'), "several_replies"),
    "a number for a reply": (lambda m: dumped(m).replace(f'"{m["reply"]}"', "15"), "not_text"),
    "a number, broken": (lambda m: dumped(m).replace(f'"{m["reply"]}"', "15,"), "not_text"),
    "true for a reply": (lambda m: dumped(m).replace(f'"{m["reply"]}"', "true"), "not_text"),
    "not a number": (lambda m: dumped(m).replace(f'"{m["reply"]}"', "NaN"), "non_finite_number"),
    "half a character": (lambda m: dumped(m).replace(m["reply"], "好\\ud83d"), "lone_surrogate"),
    "a key inside a reply": (
        lambda m: dumped(m).replace(m["reply"], '你写的是"你的回复": "好"吗') + " ",
        "duplicate_key",
    ),
    "headings twice": (lambda m: _lines(m, "{key}：{text}") + "\n你的回复：改天吧", "duplicate_key"),
    "a reply of two lines under a heading": (lambda m: _lines(m, "{key}：{text}") + "\n（也可以换个说法）", "unsure"),
    "a list": (lambda m: '["好呀", "改天吧"]', "no_object"),
    "two keys run together": (lambda m: dumped(m).replace('", "你的回复": "', "你的回复"), "no_reply"),
}


def broken(each: int = 8) -> Iterator[Broken]:
    """`each` outputs of every kind."""
    for kind, make in MENDS.items():
        for number in range(each):
            made = fields(number)
            yield Broken(kind, "cot", make(made), words(made))
    for kind, (make, code) in REFUSED.items():
        for number in range(each):
            yield Broken(kind, "cot", make(fields(number)), None, code)
    for number in range(each):
        made = fields(number)
        reply = made["reply"]
        yield Broken(
            "null for a field", "cot", dumped(made).replace(f'"{made["cause"]}"', "null"), words(made, cause="")
        )
        without = json.loads(dumped(made))
        del without[ZH[2]]
        text = json.dumps(without, ensure_ascii=False)
        yield Broken("a field missing", "cot", text, words(made, emotion=""))
        text = dumped(made).replace(f'"{made["strategy"]}"', '["幽默", "反问"]')
        yield Broken("a field in pieces", "cot", text, words(made, strategy="幽默；反问"))
        text = dumped(made).replace(f'"{made["intention"]}"', '{"最终意图": "走近", "当前意图": "缓和"}')
        yield Broken("a field in parts", "cot", text, words(made, intention="最终意图：走近；当前意图：缓和"))
        said = made["emotion"] + '，说了"随便"两个字'
        text = dumped(made).replace(made["emotion"], said)
        yield Broken("quotes inside", "cot", text, words(made, emotion=said))
        said = made["emotion"] + "\n还有一点不甘心"
        yield Broken("breaks inside", "cot", dumped(made).replace(made["emotion"], said), words(made, emotion=said))
        yield Broken(
            "None for a field",
            "cot",
            _quoted(dumped(made), "'", "'").replace(f"'{made['cause']}'", "None"),
            words(made, cause=""),
        )
        yield Broken("the reply alone", "direct", reply, Words(reply))
        yield Broken("the reply alone in JSON", "direct", json.dumps({ZH[5]: reply}), Words(reply))
        yield Broken("the reply alone, Chinese signs", "direct", f"｛“你的回复”：“{reply}”｝", Words(reply))
        yield Broken("the reply under a heading", "direct", f"**回复**：{reply}", Words(reply))
        yield Broken(
            "a refusal",
            "cot",
            "抱歉，我无法回答这个问题。",
            Words("抱歉，我无法回答这个问题。", dict.fromkeys(PROCESS, "")),
        )
