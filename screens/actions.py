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
SCREENS = (EVERYWHERE, "home", "screening", "text", "search")


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
EDITS = N_("Edits")
DIALECT = N_("Dialect")
SEARCH = N_("Searching")
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
    Action("text", "home", ("t",), N_("Look over the texts: edits and dialects"), GET_ABOUT, "text", N_("texts")),
    Action("search", "home", ("slash",), N_("Search the dialogues"), GET_ABOUT, "search", N_("search")),
    # -- screening
    Action("keep", "screening", ("k", "plus", "equals_sign"), N_("Keep the dialogue"), ANSWER, "keep", N_("keep")),
    Action("drop", "screening", ("d", "minus"), N_("Drop the dialogue"), ANSWER, "drop", N_("drop")),
    Action("rationale", "screening", ("r",), N_("Write the rationale"), WRITE, "rationale", N_("why")),
    Action("commit", "screening", ("enter",), N_("Commit the answer and go on"), ANSWER, "commit", N_("commit")),
    Action("clear", "screening", ("backspace", "0"), N_("Take the situation out of the answer"), ANSWER, "clear"),
    Action("half", "screening", ("escape",), N_("Take the first of two digits back"), ANSWER, "half", palette=False),
    Action("guideline", "screening", ("v",), N_("What the situations mean"), ANSWER, "guideline"),
    Action("both", "screening", ("b",), N_("Both answers, once both have committed"), ANSWER, "both"),
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
    # -- text
    Action("text_next", "text", ("j", "n"), N_("Next edit"), EDITS, "edit(1)", N_("edit")),
    Action("text_previous", "text", ("k", "N"), N_("Edit before"), EDITS, "edit(-1)"),
    Action("text_take_back", "text", ("x",), N_("Take this edit back"), EDITS, "take_back", N_("take back")),
    Action("text_rule", "text", ("X",), N_("Take its rule back in this dialogue"), EDITS, "rule", N_("its rule")),
    Action("text_project", "text", ("r",), N_("Turn its rule off for the whole project (asks)"), EDITS, "rule_of_project"),
    Action("text_undo", "text", ("u",), N_("Undo your last step, wherever it was"), EDITS, "undo", N_("undo")),
    Action("text_confirm", "text", ("c",), N_("Confirm the dialect"), DIALECT, "confirm"),
    Action("text_dialect", "text", ("d",), N_("Say another dialect"), DIALECT, "dialect", N_("dialect")),
    Action("text_gloss", "text", ("g",), N_("Its words in Mandarin, to look at"), DIALECT, "gloss"),
    Action("text_slang", "text", ("s",), N_("Notes on slang"), DIALECT, "slang"),
    Action("text_view", "text", ("t",), N_("Both texts, the old one, the new one"), GET_ABOUT, "view"),
    Action("text_forward", "text", ("right", "right_square_bracket"), N_("Next dialogue"), GET_ABOUT, "step(1)",
           N_("next")),
    Action("text_back", "text", ("left", "p", "left_square_bracket"), N_("Previous dialogue"), GET_ABOUT, "step(-1)"),
    Action("text_home", "text", ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
    # -- search
    Action("find", "search", ("slash",), N_("Write what to look for"), SEARCH, "find", N_("find")),
    Action("open_place", "search", ("enter",), N_("Open the dialogue at this place"), SEARCH, "open_place", N_("open")),
    Action("next_place", "search", ("n",), N_("Next place"), SEARCH, "next_place", N_("next place")),
    Action("previous_place", "search", ("N", "p"), N_("Previous place"), SEARCH, "previous_place", N_("previous place")),
    Action("find_layer", "search", ("l",), N_("In the text of another layer"), SEARCH, "find_layer"),
    Action("find_stage", "search", ("s",), N_("Only dialogues at a stage"), SEARCH, "find_stage"),
    Action("find_situation", "search", ("i",), N_("Only dialogues found to show a situation"), SEARCH, "find_situation"),
    Action("find_dialect", "search", ("d",), N_("Only dialogues tagged with a dialect"), SEARCH, "find_dialect"),
    Action("find_person", "search", ("w",), N_("Only dialogues assigned to someone"), SEARCH, "find_person"),
    Action("find_since", "search", ("a",), N_("Only messages of a day or later"), SEARCH, "find_since"),
    Action("find_until", "search", ("b",), N_("Only messages of a day or earlier"), SEARCH, "find_until"),
    Action("find_clear", "search", ("x",), N_("Clear all filters"), SEARCH, "find_clear", N_("clear filters")),
    Action("find_back", "search", ("q", "escape"), N_("Back: to the list, then to the overview"), GET_ABOUT, "find_back",
           N_("back")),
    Action("find_leave", "search", ("escape",), N_("Leave the box; the list stays"), SEARCH, "find_leave",
           N_("leave the box"), palette=False, in_text=True, fixed=True),
    Action("find_go", "search", ("enter",), N_("Look for what is written"), SEARCH, "find_go", N_("look for it"),
           palette=False, in_text=True, fixed=True),
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
