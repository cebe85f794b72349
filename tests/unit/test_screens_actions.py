"""The registry of actions, key files, and what becomes of keys."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import screens
from curation.errors import UsageError
from screens import actions, locale
from screens.base import WorkScreen
from screens.keynames import canonical, shown, spoken
from screens.keys import MOST_AT_ONCE, NOT_PAINTED, Gate, Pace, Verdict, folded
from screens.keytables.action import EVERYWHERE
from screens.lines import packed


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_no_key_means_two_things_on_one_screen() -> None:
    actions.check()


def every_screen() -> list[type[WorkScreen]]:
    for module in pkgutil.walk_packages(screens.__path__, "screens."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: list[type[WorkScreen]] = []
    waiting = [WorkScreen]
    while waiting:
        for one in waiting.pop().__subclasses__():
            waiting.append(one)
            if one.NAME and not one.__subclasses__():
                found.append(one)
    return found


def test_every_action_of_a_screen_is_a_method_of_it() -> None:
    from workbench.app import WorkbenchApp

    owners: dict[str, type] = {one.NAME: one for one in every_screen()} | {EVERYWHERE: WorkbenchApp}
    for action in actions.actions():
        name = action.does.removeprefix("app.").split("(")[0]
        assert hasattr(owners[action.screen], f"action_{name}"), action


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_key_bar_fits_eighty_columns(lang: str) -> None:
    locale.use(lang)
    found = every_screen()
    assert {one.NAME for one in found} == set(actions.SCREENS) - {EVERYWHERE}
    for one in found:
        screen = one.__new__(one)
        screen.actions = actions.on_screen(one.NAME)
        for in_text in (False, True):
            lines = packed(screen.key_words(in_text=in_text), 80)
            assert len(lines) <= one.KEY_LINES, (one.NAME, lines)
    locale.use("en")


def test_what_is_cut_to_a_width_is_cut_by_what_says_so() -> None:
    for path in Path(screens.__file__).parent.rglob("*.py"):
        if path.name != "lines.py":
            assert "set_cell_size" not in path.read_text(encoding="utf-8"), f"{path.name}: fitted says that it cuts"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('[screening]\nkeep = ["d"]', "key_clash"),
        ('[screening]\nkeep = ["w"]', "key_clash"),
        ('[screening]\nkeep = ["1"]', "key_clash"),
        ('[screening]\nkeep = ["?"]', "key_clash"),
        ('[screening]\ncommit_text = ["escape"]', "key_clash"),
        ('[screening]\nnothing = ["d"]', "bad_keyfile"),
        ('[home]\nkeep = ["l"]', "bad_keyfile"),
        ('[screening]\n"situation.irony" = ["l"]', "bad_keyfile"),
        ("[screening]\nkeep = 3", "bad_keyfile"),
        ("keep = 3", "bad_keyfile"),
        ("[", "bad_keyfile"),
    ],
)
def test_a_key_file_that_cannot_be_used_is_refused(text: str, code: str) -> None:
    with pytest.raises(UsageError) as refused:
        actions.read_keymap(text)
    assert refused.value.code == code


def test_a_key_file_changes_keys_and_its_own_writing_changes_nothing(tmp_path: Path) -> None:
    keymap = actions.read_keymap('[screening]\nkeep = ["l", "F5", "Ctrl+K"]\nskip = []')
    assert keymap == {"keep": ("l", "f5", "ctrl+k"), "skip": ()}
    path = tmp_path / "keys.toml"
    path.write_text(actions.key_file(keymap), encoding="utf-8")
    assert {a.id: a.keys for a in actions.actions(actions.load_keymap(path))} == {
        a.id: a.keys for a in actions.actions(keymap)
    }
    assert actions.load_keymap(tmp_path / "missing.toml") == {}


def test_names_of_keys_go_both_ways() -> None:
    for action in actions.actions():
        for key in action.keys:
            assert canonical(spoken(key)) == key
            assert shown(key)
    assert shown("ctrl+j") == "Ctrl+J"
    assert shown("question_mark") == "?"
    assert shown("k") == "k"


@pytest.mark.parametrize(
    ("given_", "wanted"), [("５", "5"), ("ａ", "a"), ("？", "?"), ("＋", "+"), ("　", " "), ("你", "你")]
)
def test_full_width_folds(given_: str, wanted: str) -> None:
    assert folded(given_) == wanted


@given(st.characters())
def test_folding_gives_one_character_and_is_done_once(character: str) -> None:
    once = folded(character)
    assert once is not None
    assert len(once) == 1
    assert folded(once) == once


def test_the_gate_tells_typing_from_pasting() -> None:
    clock = Clock()
    gate = Gate(clock)
    for _n in range(50):
        clock.now += 0.06
        assert gate.judge("k") is Verdict.PASS
    verdicts = []
    for _n in range(20):
        clock.now += 0.001
        verdicts.append(gate.judge("k"))
    assert verdicts.count(Verdict.PASS) < MOST_AT_ONCE
    assert verdicts[-1] is Verdict.PASTED
    clock.now += 1
    gate.announce(3, spoiled=False)
    assert [gate.judge("k") for _n in range(3)] == [Verdict.PASTED] * 3
    clock.now += 1
    assert gate.judge("k") is Verdict.PASS
    read = clock.now + 1
    late = []
    for n in range(20):
        clock.now += 1  # a busy machine takes its time over each
        late.append(gate.judge("k", read + n / 1000))
    assert late[-1] is Verdict.PASTED, "when a key was read counts, not when it is looked at"
    clock.now += 1
    assert gate.judge("你") is Verdict.CHINESE_INPUT
    assert gate.judge("\ufffd") is Verdict.NOT_UTF8
    gate.announce(1, spoiled=True)
    assert gate.judge("k") is Verdict.NOT_UTF8


def test_the_pace_lets_one_decision_through() -> None:
    clock = Clock()
    pace = Pace(0.25, clock)
    assert pace.refusal() == ""
    pace.decided()
    assert not pace.may_answer()
    pace.painted()
    assert pace.may_answer()
    clock.now += 0.5  # the first repeat of a held key comes this late
    assert "before" in pace.refusal()
    pace.touched()
    assert pace.refusal() == ""
    pace.decided()
    pace.painted()
    pace.touched()
    for _n in range(20):  # a key held on
        clock.now += 0.03
        assert "quick" in pace.refusal()
    clock.now += 0.26
    assert pace.refusal() == ""
    pace.decided()
    clock.now += 1
    pace.touched()
    assert pace.refusal() == NOT_PAINTED
