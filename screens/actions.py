"""The registry of actions: what can be done where, by which keys, in which words.

Key bar, help, command palette and key file are made from it, so that none of them can say something else than the keys
do. Two meanings for one key on one screen are an error at start.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from curation.errors import N_, UsageError

EVERYWHERE = "everywhere"
SCREENS = (EVERYWHERE, "home", "screening")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. `words` are English and the key of the catalogue; `does` is the screen's method, with arguments.

    `bar` puts it on the key bar; `palette` offers it in the command palette; `in_text` actions work while a text box has
    the keyboard, and no other does. `fixed` keys cannot be changed by a key file.
    """

    id: str
    screen: str
    keys: tuple[str, ...]
    words: str
    group: str
    does: str
    bar: str = ""
    palette: bool = True
    in_text: bool = False
    fixed: bool = False


GET_ABOUT = N_("Getting about")
ANSWER = N_("Answering")
WRITE = N_("Writing the rationale")
PROGRAM = N_("The program")
SITUATIONS = N_("Situations")

_PLAIN: tuple[Action, ...] = (
    Action("help", EVERYWHERE, ("question_mark", "f1"), N_("Help: every key of this screen"), PROGRAM, "app.help", N_("help")),
    Action("palette", EVERYWHERE, ("ctrl+p",), N_("Command palette"), PROGRAM, "app.command_palette", palette=False),
    Action("theme", EVERYWHERE, (), N_("Next theme (one is without colour)"), PROGRAM, "app.next_theme"),
    Action("language", EVERYWHERE, (), N_("中文 / English"), PROGRAM, "app.next_language"),
    Action("emoji", EVERYWHERE, (), N_("Plain emoji on or off (when lines look shifted)"), PROGRAM, "app.plain_emoji"),
    Action("keyfile", EVERYWHERE, (), N_("Write the key file, to change keys"), PROGRAM, "app.write_keys"),
    Action("suspend", EVERYWHERE, ("ctrl+z",), N_("Back to the shell for a while (fg returns)"), PROGRAM, "app.suspend_process"),
    Action("quit", EVERYWHERE, ("ctrl+q",), N_("Leave the program; everything is saved"), PROGRAM, "app.quit", in_text=True),
    # -- home
    Action("work", "home", ("enter", "s"), N_("Screen dialogues"), GET_ABOUT, "work", N_("screen")),
    Action("person", "home", ("w",), N_("Say who is working"), GET_ABOUT, "person", N_("who")),
    Action("refresh", "home", ("r",), N_("Count again"), GET_ABOUT, "refresh_counts", N_("count again")),
    Action("recent", "home", ("o",), N_("Open another project"), GET_ABOUT, "recent", N_("open")),
    # -- screening
    Action("keep", "screening", ("k", "plus", "equals_sign"), N_("Keep the dialogue"), ANSWER, "keep", N_("keep")),
    Action("drop", "screening", ("d", "minus"), N_("Drop the dialogue"), ANSWER, "drop", N_("drop")),
    Action("rationale", "screening", ("r",), N_("Write the rationale"), WRITE, "rationale", N_("why")),
    Action("commit", "screening", ("enter",), N_("Commit the answer and go on"), ANSWER, "commit", N_("commit")),
    Action("clear", "screening", ("backspace", "0"), N_("Take the situation out of the answer"), ANSWER, "clear"),
    Action("half", "screening", ("escape",), N_("Take the first of two digits back"), ANSWER, "half", palette=False),
    Action("guideline", "screening", ("v",), N_("What the situations mean"), ANSWER, "guideline"),
    Action("undo", "screening", ("u",), N_("Undo the last decision, wherever it was"), ANSWER, "undo", N_("undo")),
    Action("reopen", "screening", ("e",), N_("Decide this one anew, while the other has not"), ANSWER, "reopen"),
    Action("skip", "screening", ("s",), N_("Put the dialogue off, with a reason"), ANSWER, "skip", N_("skip")),
    Action("next", "screening", ("right", "right_square_bracket"), N_("Next dialogue"), GET_ABOUT, "step(1)"),
    Action("previous", "screening", ("left", "p", "left_square_bracket"), N_("Previous dialogue"), GET_ABOUT, "step(-1)"),
    Action("undecided", "screening", ("n",), N_("Next one not decided"), GET_ABOUT, "undecided", N_("next")),
    Action("jump", "screening", ("j",), N_("Go to a number"), GET_ABOUT, "jump"),
    Action("home", "screening", ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
    Action("leave_text", "screening", ("escape",), N_("Leave the box; the text stays"), WRITE, "leave_text",
           N_("leave the box"), palette=False, in_text=True, fixed=True),
    Action("commit_text", "screening", ("ctrl+j", "ctrl+enter", "f10"), N_("Commit from the box and go on"), WRITE,
           "commit", N_("commit"), palette=False, in_text=True),
)  # fmt: skip


@cache
def _situations() -> tuple[Action, ...]:
    """Choosing a situation: a letter each, or two digits."""
    from curation.taxonomy import taxonomy

    known = taxonomy()
    letters = [
        Action(
            f"situation.{s.id}",
            "screening",
            (s.key,),
            s.en,
            SITUATIONS,
            f"situation('{s.id}')",
            palette=False,
            fixed=True,
        )
        for s in known.situations
    ]
    digits = [
        Action(
            f"digit.{n}",
            "screening",
            (str(n),),
            N_("A situation by two digits: family, then place"),
            SITUATIONS,
            f"digit({n})",
            palette=False,
            fixed=True,
        )
        for n in range(1, 10)
    ]
    return (*digits, *letters)


def actions(keymap: Mapping[str, tuple[str, ...]] | None = None) -> tuple[Action, ...]:
    """All actions, with the keys that `keymap` (by action id) gives them."""
    changed = keymap or {}
    return tuple(
        replace(action, keys=changed[action.id]) if action.id in changed else action
        for action in (*_PLAIN, *_situations())
    )


def on_screen(screen: str, keymap: Mapping[str, tuple[str, ...]] | None = None) -> tuple[Action, ...]:
    """The actions of one screen, its own first, those of every screen after."""
    every = actions(keymap)
    return tuple(a for a in every if a.screen == screen) + tuple(a for a in every if a.screen == EVERYWHERE)


def check(keymap: Mapping[str, tuple[str, ...]] | None = None) -> None:
    """Refuse (UsageError) a key with two meanings on one screen, in text boxes and outside them apart."""
    for screen in SCREENS:
        for in_text in (False, True):
            taken: dict[str, str] = {}
            for action in on_screen(screen, keymap):
                if (in_text and not action.in_text) or (action.in_text and not in_text and action.screen != EVERYWHERE):
                    continue
                for key in action.keys:
                    if taken.setdefault(key, action.id) != action.id:
                        raise UsageError(
                            N_("the key {key} means both {one} and {other} on the screen {screen}"),
                            "key_clash",
                            key=key,
                            one=taken[key],
                            other=action.id,
                            screen=screen,
                        )


def read_keymap(text: str) -> dict[str, tuple[str, ...]]:
    """The keys that a key file gives. Refuses (UsageError) what is no TOML, no action, no key, or a clash."""
    from screens.keynames import canonical

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(N_("the key file cannot be read: {problem}"), "bad_keyfile", problem=error) from error
    known = {action.id: action for action in actions()}
    keymap: dict[str, tuple[str, ...]] = {}
    for screen, rows in table.items():
        if not isinstance(rows, dict):
            raise UsageError(N_("the key file has no screen called {screen}"), "bad_keyfile", screen=screen)
        for name, keys in rows.items():
            action = known.get(name)
            if action is None or action.screen != screen or action.fixed:
                raise UsageError(
                    N_("the key file names {action} on {screen}, which is nothing whose keys can be changed"),
                    "bad_keyfile",
                    action=name,
                    screen=screen,
                )
            listed = [keys] if isinstance(keys, str) else keys
            if not isinstance(listed, list) or not all(isinstance(k, str) and k.strip() for k in listed):
                raise UsageError(N_("the keys of {action} are no list of keys"), "bad_keyfile", action=name)
            keymap[name] = tuple(canonical(key) for key in listed)
    check(keymap)
    return keymap


def load_keymap(path: Path) -> dict[str, tuple[str, ...]]:
    """The keys of the key file at `path`; none where there is no such file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(N_("the key file cannot be read: {problem}"), "bad_keyfile", problem=error) from error
    return read_keymap(text)


def key_file(keymap: Mapping[str, tuple[str, ...]] | None = None) -> str:
    """A key file that says what holds now; reading it changes nothing."""
    from screens.keynames import spoken

    lines = ["# Keys of the workbench. Change the lists; an empty list takes the key away."]
    every = actions(keymap)
    for screen in SCREENS:
        lines += ["", f"[{screen}]"]
        for action in _changeable(a for a in every if a.screen == screen):
            keys = ", ".join(f'"{spoken(key)}"' for key in action.keys)
            lines.append(f"{action.id} = [{keys}]  # {action.words}")
    return "\n".join(lines) + "\n"


def _changeable(every: Iterable[Action]) -> list[Action]:
    return [action for action in every if not action.fixed]
