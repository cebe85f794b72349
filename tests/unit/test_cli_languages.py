"""What the readers refuse and notice, said to people in their language; files and JSON keep the English sentence.

The catalogue is replaced by one that marks every sentence it is asked for, so what came past it shows.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curation.errors import Phrase
from screens.locale import told, use
from workbench.cli import main


class Marked(gettext.NullTranslations):
    """Gives every sentence back in 【brackets】."""

    def gettext(self, message: str) -> str:
        return f"【{message}】"


@pytest.fixture(autouse=True)
def marked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr("screens.locale._gettext.translation", lambda *_, **__: Marked())
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(tmp_path)
    yield
    use("en")


def run(capsys: pytest.CaptureFixture[str], *argv: str, lang: str = "zh") -> tuple[str, str]:
    capsys.readouterr()
    main(["--lang", lang, *argv])
    out, err = capsys.readouterr()
    return out, err


def chat(identity: str, text: str) -> dict[str, Any]:
    messages = [{"speaker": "对方" if n % 2 else "我", "text": f"{text}{n}"} for n in range(8)]
    return {"id": identity, "messages": messages}


def lines(path: Path, *records: object) -> str:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")
    return str(path)


def test_a_phrase_within_a_sentence_is_told_too_and_made_visible() -> None:
    use("zh")
    inner = Phrase("inner {text}", text="a\x1b[2J")
    assert told("outer {what}, {count}", {"what": inner, "count": 3}) == "【outer 【inner a␛[2J】, 3】"
    use("en")
    assert told("outer {what}", {"what": inner}) == "outer inner a␛[2J"


def test_what_an_import_notices_is_said_in_the_language_of_the_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = lines(tmp_path / "a.jsonl", chat("a", "在\x07吗"), {"ID": "b"})
    main(["init", "p.workbench"])
    out, err = run(capsys, "import", "p.workbench", raw)
    wanted = "【control characters in the text; kept, shown as pictures (dialogues: 1, first at line 1)】"
    assert f"【a.jsonl: warning: {wanted}】" in err
    kept = json.loads((tmp_path / "p.a.jsonl.rejects.jsonl").read_text(encoding="utf-8"))
    assert kept["code"] == "missing_field"
    assert kept["reason"] == '"id" is missing; did you mean "ID"? Keys are lower case'
    assert "【" not in json.dumps(kept, ensure_ascii=False)
    out, _ = run(capsys, "import", "p.workbench", raw, "--json")
    assert "【" not in out
    assert json.loads(out)["files"][0]["noticed"][0]["reason"].startswith("control characters")


def test_a_file_refused_whole_is_said_with_its_inner_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text('[{"id": 1} {"id": 2}]', encoding="utf-8")
    main(["init", "p.workbench"])
    _, err = run(capsys, "import", "p.workbench", "a.json")
    assert "the JSON array cannot be read (【a comma or ] is missing】)" in err
    _, err = run(capsys, "import", "p.workbench", "a.json", lang="en")
    assert "the JSON array cannot be read (a comma or ] is missing)" in err


def test_refused_decisions_are_said_in_the_language_of_the_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["init", "p.workbench"])
    answers = tmp_path / "d.jsonl"
    lines(
        answers, {"kind": "screening", "by": "curator", "keep": 1, "dialogue": "a"}, {"kind": "x\x1b", "by": "curator"}
    )
    with answers.open("ab") as handle:
        handle.write(b"{\n\xff\n")
    _, err = run(capsys, "decisions", "p.workbench", "import", str(answers))
    assert "【d.jsonl, line 1: 【keep must be 【true or false】】】" in err
    assert "【d.jsonl, line 2: 【kind must be one of " in err
    assert "【d.jsonl, line 3: 【the line is not JSON】】" in err
    assert "【d.jsonl, line 4: 【the line is not UTF-8】】" in err
    kept = (tmp_path / "p.d.jsonl.rejects.jsonl").read_text(encoding="utf-8")
    assert "【" not in kept
    assert json.loads(kept.splitlines()[0])["reason"] == "keep must be true or false"


def test_tables_read_for_statistics_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t\x1b.csv"
    table.write_bytes("item,今天天气很好,我们出去走走\n一,好,好\n二,不好,不好\n".encode("gb18030"))
    _, err = run(capsys, "stats", "agreement", str(table), "--level", "nominal")
    assert "【t␛.csv: warning: 【not UTF-8: read as GB18030;" in err


@pytest.mark.parametrize("name", ["candidates", "status"])
def test_the_rules_are_said_where_they_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    raw = lines(tmp_path / "a.jsonl", *(chat(i, "今天我们要说的是很长很长的第几句话了呢") for i in "abc"))
    main(["init", "p.workbench"])
    main(["import", "p.workbench", raw])
    main(["candidates", "p.workbench"])
    out, _ = run(capsys, name, "p.workbench")
    assert re.search(r"2 +near_duplicate +【nearly the same as a longer dialogue that is kept】", out)


def test_the_home_screen_says_the_rules_in_the_language_in_use() -> None:
    pytest.importorskip("textual")
    from screens.home import told_code

    use("zh")
    assert told_code("near_duplicate") == "【nearly the same as a longer dialogue that is kept】"
