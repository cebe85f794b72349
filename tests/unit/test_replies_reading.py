"""Answers come back in several shapes; each record is read or refused, with its line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from curation.errors import BadInput
from curation.model import Refusal
from curation.replies import FLAGS, flags_of, read, visible_length
from curation.replies.flags import _OTHER, _UNSEEN, _USUAL, language_of
from curation.replies.shapes import Written
from curation.work.asking import Words

OUTPUT = '{"你的回复": "好呀"}'


def batch(name: str, content: object = OUTPUT, **choice: object) -> dict[str, object]:
    """A line of OpenAI's batch results."""
    made = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop", **choice}
    body = {"id": "chatcmpl-1", "choices": [made]}
    return {"id": "batch_req_1", "custom_id": name, "response": {"status_code": 200, "body": body}, "error": None}


SHAPES: dict[str, dict[str, object]] = {
    "plain": {"id": "p1", "output": OUTPUT},
    "plain, other names": {"custom_id": "p1", "response": OUTPUT, "model": "m"},
    "plain, integer id": {"id": 1, "content": OUTPUT},
    "openai batch": batch("p1"),
    "parts": batch("p1", [{"type": "text", "text": OUTPUT[:5]}, {"type": "text", "text": OUTPUT[5:]}]),
    "chat completion": {**batch("x")["response"]["body"], "custom_id": "p1"},  # type: ignore[index]
    "chat completion, id in metadata": {**batch("x")["response"]["body"], "metadata": {"id": "p1"}},  # type: ignore[index]
    "chat completion beside its id": {"id": "p1", "response": batch("x")["response"]["body"]},  # type: ignore[index]
    "anthropic batch": {
        "custom_id": "p1",
        "result": {
            "type": "succeeded",
            "message": {"content": [{"type": "text", "text": OUTPUT}], "stop_reason": "end_turn"},
        },
    },
}
BAD: dict[str, tuple[object, str]] = {
    "no JSON": ("{", "json_syntax"),
    "a list": ("[1]", "not_an_object"),
    "no id": ({"output": OUTPUT}, "no_id"),
    "an endpoint's own id alone": (batch("x")["response"]["body"], "no_id"),  # type: ignore[index]
    "no output": ({"id": "p1"}, "no_output"),
    "an error": ({"id": "b", "custom_id": "p1", "response": None, "error": {"message": "late"}}, "error"),
    "status": ({"custom_id": "p1", "response": {"status_code": 429, "body": {"error": {"message": "slow"}}}}, "error"),
    "an errored result": ({"custom_id": "p1", "result": {"type": "errored", "error": {"message": "x"}}}, "error"),
    "two choices": (
        {"custom_id": "p1", "choices": [{"message": {"content": "a"}}, {"message": {"content": "b"}}]},
        "several_replies",
    ),
    "a key twice": ('{"id": "p1", "output": "a", "output": "b"}', "duplicate_key"),
}


def lines(path: Path, *records: object) -> Path:
    path.write_text(
        "".join((r if isinstance(r, str) else json.dumps(r, ensure_ascii=False)) + "\n" for r in records), "utf-8"
    )
    return path


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_id_and_the_output(tmp_path: Path, shape: str) -> None:
    for found in (
        list(read(lines(tmp_path / "a.jsonl", SHAPES[shape], SHAPES[shape]))),
        list(read(lines(tmp_path / "b.json", json.dumps([SHAPES[shape]] * 2, ensure_ascii=False, indent=1)))),
    ):
        assert len(found) == 2
        for one in found:
            assert isinstance(one, Written)
            assert one.id in ("p1", "1")
            assert one.content == OUTPUT
            assert not one.cut
    assert found[0].line < found[1].line


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_record_is_refused_with_its_line_and_the_rest_is_read(tmp_path: Path, kind: str) -> None:
    record, code = BAD[kind]
    head = SHAPES["plain"]
    found = list(read(lines(tmp_path / "a.jsonl", head, record, head)))
    assert [isinstance(one, Written) for one in found] == [True, False, True]
    refused = found[1]
    assert isinstance(refused, Refusal)
    assert (refused.line, refused.code) == (2, code)
    assert refused.template


def test_the_fields_themselves_are_an_answer(tmp_path: Path) -> None:
    record = {"id": "p1", "mode": "direct", "reply": "好呀", "note": 3}
    (found,) = read(lines(tmp_path / "a.jsonl", record))
    assert isinstance(found, Written)
    assert (found.content, found.mode) == ({"reply": "好呀"}, "direct")


def test_an_answer_that_was_cut_says_so(tmp_path: Path) -> None:
    (found,) = read(lines(tmp_path / "a.jsonl", batch("p1", finish_reason="length")))
    assert isinstance(found, Written)
    assert found.cut


def test_a_table_in_gb18030_is_read_with_breaks_inside_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    with path.open("w", encoding="gb18030", newline="") as handle:
        table = csv.writer(handle)
        table.writerow(["id", "mode", "输出"])
        table.writerow(["p1", "direct", '{\n"你的回复": "好呀，那就这么说定了，明天见"}'])
        table.writerow(["p2", "direct"])
        table.writerow(["p3", "direct", "好"])
    found = list(read(path))
    assert [(type(one).__name__, one.line) for one in found] == [("Written", 2), ("Refusal", 4), ("Written", 5)]
    assert isinstance(found[0], Written)
    assert "好呀" in str(found[0].content)


def test_a_table_of_fields_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,动机,原因,回复\np1,想见面,刚下班,好呀\n", "utf-8")
    (found,) = read(path)
    assert isinstance(found, Written)
    assert found.content == {"动机": "想见面", "原因": "刚下班", "回复": "好呀"}


@pytest.mark.parametrize("text", ["", "id\np1\n", "id,id\np1,x\n", 'id,output\np1,"x\n'])
def test_a_file_that_is_no_table_is_refused_whole(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(BadInput):
        list(read(path))


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 0),
        ("好呀，走吧！", 6),
        ("ok fine", 6),
        ("[/委屈巴巴]", 1),
        ("好[偷笑][/白眼]", 3),
        ("👨‍👩‍👧", 1),
        ("👍🏽❤️🇨🇳", 3),
        ("1️⃣2", 2),
        ("e\u0301é", 2),
        ("好\n呀\u200b ", 2),
        ("[注意] 15:30", 6),
    ],
)
def test_the_length_is_what_a_reader_sees(text: str, length: int) -> None:
    assert visible_length(text) == length


DIALOGUE = ("今天还出来吃饭吗", "你不是说要请我吃火锅的嘛，怎么又没有下文了", "哼")
CASES: dict[str, list[str]] = {
    "too_long": ["一二三四五六七八九十一二三四五六", "[/笑]一二三四五六七八九十一二三四五"],
    "empty_reply": ["", "……", "<你的回复>", "无", "your reply"],
    "refusal": [
        "抱歉，我无法回答这个问题",
        "对不起，作为助手我不能提供这类内容",
        "该内容违反了使用政策",
        "I'm sorry, but I can't assist with that.",
        "I cannot comply with this request.",
    ],
    "wrong_language": ["Sure, let us meet tomorrow", "いいよ、あした会おう", "좋아요", "Давай"],
    "echo": ["你不是说要请我吃火锅的嘛，怎么又没有下文了", "今天还出来吃饭吗？", "不超过15个字的回复"],
    "self_identification": [
        "我是通义千问",
        "我是由阿里云开发的",
        "作为一个AI语言模型，我没有感情",
        "作为人工智能助手",
        "As an AI language model",
        "I'm ChatGPT",
        "I am just a language model",
        "我叫豆包",
    ],
    "control": ["好\u202e呀", "好\x07", "好\u200b呀"],
}
FINE = (
    "好呀，周六见[/偷笑]",
    "对不起，我不能去了",
    "抱歉啊，刚没看手机",
    "haha ok",
    "哼",
    "hhh",
    "OK👌🏽",
    "你猜",
    "我不会做饭，你教我",
    "你是我的智能闹钟",
    "才不是模型呢",
    "我叫小林",
    "没法拒绝你呀",
    "不好意思，我今天不能陪你",
)


@pytest.mark.parametrize(("code", "reply"), [(code, reply) for code, replies in CASES.items() for reply in replies])
def test_what_has_to_be_looked_at_is_flagged(code: str, reply: str) -> None:
    assert code in flags_of(Words(reply), limit=15, dialogue=DIALOGUE)


@pytest.mark.parametrize("reply", FINE)
def test_what_people_say_is_not(reply: str) -> None:
    assert flags_of(Words(reply), limit=15, dialogue=DIALOGUE) == ()


def test_the_process_is_looked_at_too() -> None:
    process = {"motivation": "想见面", "cause": ""}
    assert flags_of(Words("好呀", process), limit=15) == ("empty_field",)
    assert flags_of(Words("好呀", {"cause": "作为AI，我认为她累了"}), limit=15) == ("self_identification",)
    assert flags_of(Words("好呀", {"cause": "She is tired of waiting"}), limit=15, prompt_lang="zh") == (
        "wrong_language",
    )
    assert flags_of(Words("好呀", {"cause": "She is tired of waiting"}), limit=15, prompt_lang="en") == ()
    assert flags_of(Words("好呀呀呀呀", {"cause": "好呀呀呀呀"}), limit=15) == ("echo",)
    assert flags_of(Words("好呀"), limit=15, uncalled=("cause",)) == ("uncalled_field",)
    assert flags_of(Words("see you then, my dear"), limit=40, dialogue_lang="en") == ()
    assert flags_of(Words("那就这么说定了"), limit=40, dialogue_lang="en") == ("wrong_language",)


def test_every_flag_has_words() -> None:
    assert all(FLAGS.values())
    assert language_of(["在吗", "ok"]) == "zh"
    assert language_of(["are you there", "哈"]) == "en"
    assert language_of([]) == "zh"


def test_what_is_usual_is_neither_unseen_nor_another_script() -> None:
    usual = [chr(n) for n in range(0x110000) if _USUAL.fullmatch(chr(n))]
    assert len(usual) > 25_000
    assert [hex(ord(c)) for c in usual if _UNSEEN.search(c) or _OTHER.search(c + c)] == []
