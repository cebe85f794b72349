"""jieba, used without its cache, its global state, its noise and its guesses."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation import segment as module
from curation.errors import MissingExtra
from curation.segment import boundaries, segment

ROOT = Path(__file__).resolve().parents[2]
TEXTS = st.text(
    st.sampled_from("我去看电影電[/白眼]( ) 🈶👩\u200d\u3000巴适得板a1\ud800\n嗰𠮶"), max_size=20
) | st.text(st.characters(codec=None), max_size=20)


def words(text: str, *known: str) -> list[str]:
    return [t.word for t in segment(text, known)]


@given(TEXTS, st.lists(st.text(TEXTS, max_size=0) | st.sampled_from(["去看", "得板a", " ", "🈶👩"])))
@settings(deadline=None)
def test_tokens_join_up_to_the_text(text: str, known: list[str]) -> None:
    tokens = segment(text, known)
    assert "".join(t.word for t in tokens) == text
    assert all(text[t.start : t.end] == t.word and t.word for t in tokens)
    assert [t.start for t in tokens] == [0, *(t.end for t in tokens)][: len(tokens)]


@given(TEXTS)
@settings(deadline=None)
def test_boundaries_cover_the_text(text: str) -> None:
    marks = boundaries(text)
    assert len(marks) == len(text) + 1
    assert marks[0] == marks[-1] == 1


@pytest.mark.parametrize(
    ("text", "known", "expected"),
    [
        ("我去[/白眼]看电影", (), ["我", "去", "[/白眼]", "看", "电影"]),
        ("我們去看電影", (), ["我們", "去", "看", "電影"]),
        ("今天巴适得板", ("巴适得板",), ["今天", "巴适得板"]),
        ("老王 同学来了", ("老王 同学",), ["老王 同学", "来", "了"]),
        ("巴适得板", ("巴适", "巴适得板"), ["巴适得板"]),
        ("咋个不去喃", (), ["咋个", "不", "去", "喃"]),
        ("", (), []),
    ],
)
def test_words(text: str, known: tuple[str, ...], expected: list[str]) -> None:
    assert words(text, *known) == expected


def test_protected_spans_are_one_token() -> None:
    assert [t.word for t in segment("我去看电影", protected=[(0, 3), (-1, 2), (4, 9)])] == ["我去看", "电影"]


def test_without_jieba_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    module.available.cache_clear()
    module._built.cache_clear()
    try:
        assert not module.available()
        with pytest.raises(MissingExtra, match="curator"):
            boundaries("我")
    finally:
        module.available.cache_clear()
        module._built.cache_clear()


def test_nothing_is_written_said_or_left_behind(tmp_path: Path) -> None:
    """No cache file, no log line, no warning, no pkg_resources; a folder that cannot be written makes no difference."""
    code = (
        "import sys\n"
        "before = sys.modules.get('pkg_resources')\n"
        "from curation.segment import segment\n"
        "assert [t.word for t in segment('看电影')] == ['看', '电影']\n"
        "import jieba\n"
        "assert not jieba.dt.initialized\n"
        "assert sys.modules.get('pkg_resources') is before and 'pkg_resources' not in sys.modules\n"
    )
    env = {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path), "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=env, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_threads_share_one_tokenizer() -> None:
    module._built.cache_clear()
    answers: list[list[str]] = []
    threads = [threading.Thread(target=lambda: answers.append(words("我去看电影"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [["我", "去", "看", "电影"]] * 4
