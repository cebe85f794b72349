"""The registry of actions: what can be done where, by which keys, in which words.

Key bar, help, command palette and key file are made from it, so that none of them can say something else than the keys
do. Two meanings for one key on one screen are an error at start.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from curation.errors import N_, UsageError
from screens.keytables import TABLES, screening
from screens.keytables.action import EVERYWHERE, Action

SCREENS = tuple(TABLES)


def actions(keymap: Mapping[str, tuple[str, ...]] | None = None) -> tuple[Action, ...]:
    """All actions, with the keys that `keymap` (by action id) gives them."""
    changed = keymap or {}
    return tuple(
        action._replace(keys=changed[action.id]) if action.id in changed else action
        for table in (
            *TABLES.values(),
            screening.situations(),
            screening.situations("dispute"),
            screening.situations("round"),
        )
        for action in table
    )


def on_screen(screen: str, keymap: Mapping[str, tuple[str, ...]] | None = None) -> tuple[Action, ...]:
    """The actions of one screen, its own first, those of every screen after."""
    return _on_screen(screen, actions(keymap))


def _on_screen(screen: str, every: tuple[Action, ...]) -> tuple[Action, ...]:
    return tuple(a for a in every if a.screen == screen) + tuple(a for a in every if a.screen == EVERYWHERE)


def check(keymap: Mapping[str, tuple[str, ...]] | None = None) -> None:
    """Refuse (UsageError) a key with two meanings on one screen, in text boxes and outside them apart."""
    every = actions(keymap)
    for screen in SCREENS:
        here = _on_screen(screen, every)
        for in_text in (False, True):
            taken: dict[str, str] = {}
            for action in here:
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
