"""`workbench settings`: what a project is set to, and changing it."""

from __future__ import annotations

from pathlib import Path

from curation.errors import N_
from curation.settings import CHOICES, Settings
from workbench import output
from workbench.options import argument, as_option, command, json_option, misused, opened, project_argument


@command(
    "settings",
    "workbench settings chats.workbench\nworkbench settings chats.workbench min_turns=8 screening_mode=review",
    N_("Without a change it prints every setting. A change is an entry of the log and can be taken back."),
)
@project_argument
@argument("changes", metavar="[NAME=VALUE…]", nargs=-1, help=N_("What to change; a list is names with commas."))
@as_option
@json_option
def settings(path: Path, changes: tuple[str, ...], by: str, as_json: bool) -> int:
    """Change what is named, then print."""
    from workbench.words import gettext

    wanted = dict(_parsed(change) for change in changes)
    with opened(path, by, curator=bool(wanted)) as project:
        done = project.change_settings(by, **wanted) if wanted else False
        values = project.settings.as_dict()
        if as_json:
            output.json({"changed": done, "settings": values})
        elif not wanted:
            output.table(
                [gettext(N_("setting")), gettext(N_("value")), gettext(N_("or"))],
                [(name, _shown(value), ", ".join(CHOICES.get(name, ()))) for name, value in values.items()],
            )
        elif done:
            output.say(N_("changed: {names}"), names=", ".join(f"{name}={_shown(values[name])}" for name in wanted))
        else:
            output.say(N_("nothing changed: the settings are so already"))
    return 0


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(value) if isinstance(value, list) else str(value)


def _parsed(change: str) -> tuple[str, object]:
    """A NAME=VALUE as the kind of value that the setting has."""
    name, equals, text = change.partition("=")
    known = Settings().as_dict()
    if not equals:
        raise misused(N_("say NAME=VALUE; the settings are {names}"), names=", ".join(known))
    if name not in known:
        raise misused(N_("there is no setting {name}; there are {names}"), name=name, names=", ".join(known))
    before = known[name]
    try:
        if isinstance(before, bool):
            return name, {"yes": True, "no": False, "true": True, "false": False}[text.lower()]
        if isinstance(before, int):
            return name, int(text)
        if isinstance(before, float):
            return name, float(text)
    except (KeyError, ValueError):
        raise misused(N_("{value} is no value for the setting {name}"), value=text, name=name) from None
    if isinstance(before, list):
        return name, [part for part in text.split(",") if part]
    return name, text


command = settings
