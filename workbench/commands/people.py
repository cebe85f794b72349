"""`workbench people`: who works on a project, in what role, and in which pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_
from workbench import output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from curation.work.assigning import HandedOn
    from db.project import Project

_ROLES = ("curator", "annotator", "expert")


def _list(_: click.Context, __: click.Parameter, value: str | None) -> list[str] | None:
    return None if value is None else [one.strip() for one in value.replace("，", ",").split(",") if one.strip()]


@command(
    "people",
    "workbench people chats.workbench add 小林 --role annotator --reads cantonese,wu\n"
    "workbench people chats.workbench pair 小林 阿哲\n"
    "workbench people chats.workbench set 阿哲 --reads cantonese\n"
    "workbench people chats.workbench retire 小林 --to 小周",
    N_(
        "A pair's first member is A. What someone who is retired decided stays; what they had not decided goes to --to, "
        "else to another pair. Everyone reads Mandarin; --reads says what else."
    ),
)
@project_argument
@argument(
    "action",
    metavar="add|list|set|pair|retire",
    type=click.Choice(["add", "list", "set", "pair", "retire"]),
    help=N_("What to do."),
)
@argument("names", metavar="[NAME…]", nargs=-1, help=N_("Of whom; a pair's first is A."))
@option("--role", type=click.Choice(_ROLES), help=N_("Role of who is added."))
@option("--reads", metavar="DIALECT,…", callback=_list, help=N_("Dialects that who is added or set reads."))
@option("--to", metavar="NAME", help=N_("Who takes over what someone who retires had not decided."))
@as_option
@json_option
def people(
    path: Path,
    action: str,
    names: tuple[str, ...],
    role: str | None,
    reads: list[str] | None,
    to: str | None,
    by: str,
    as_json: bool,
) -> int:
    """Do it, and with --json print everyone."""
    if action == "add" and (not names or role is None):
        raise misused(N_("say who, and --role curator, annotator or expert"))
    if action == "pair" and len(names) != 2:
        raise misused(N_("a pair is two names: its A, then its B"))
    if action == "retire" and not names:
        raise misused(N_("say who retires"))
    if action == "list" and names:
        raise misused(N_("list takes no name"))
    if role is not None and action != "add":
        raise misused(N_("--role goes with add"))
    if (reads is not None and action not in ("add", "set")) or (action == "set" and (reads is None or not names)):
        raise misused(N_("--reads goes with add and set, and set needs it and a name"))
    if to is not None and action != "retire":
        raise misused(N_("--to goes with retire"))
    left: dict[str, HandedOn] = {}
    gone: list[str] = []
    with opened(path, by, curator=action != "list") as project:
        if action == "add":
            for name in names:
                project.people.add(name, role or "", by)
                if reads is not None:
                    project.people.set_reads(name, reads, by)
        elif action == "set":
            for name in names:
                project.people.set_reads(name, reads or [], by)
        elif action == "pair":
            project.people.pair(names[0], names[1], by)
        elif action == "retire":
            gone = [name for name in dict.fromkeys(names) if project.people.get(name).retired]
            left = {name: project.assigning.retire(name, by, to) for name in names if name not in gone}
        if as_json:
            output.json(
                {
                    **_everyone(project),
                    **({"handed_on": left} if left else {}),
                    **({"left_already": gone} if gone else {}),
                }
            )
        elif action == "list":
            _show(project)
        else:
            if stay := [name for name in names if name not in gone]:
                _say(action, stay)
            for name in gone:
                output.say(
                    N_(
                        "{name} had left already: nothing was changed or handed on; "
                        "`workbench assign` hands out what lies with nobody"
                    ),
                    name=name,
                )
            for name, one in left.items():
                _tell_handed_on(name, one)
    return 0


def _everyone(project: Project) -> dict[str, object]:
    return {
        "people": project.people.everyone(),
        "pairs": [{"id": pair.id, "A": pair.a, "B": pair.b} for pair in project.people.standing()],
    }


def _show(project: Project) -> None:
    from screens.names import dialect
    from workbench.labels import label
    from workbench.words import gettext

    partner = {}
    for pair in project.people.standing():
        partner[pair.a] = f"A + {pair.b}"
        partner[pair.b] = f"B + {pair.a}"
    rows = [
        (
            p.name,
            label(p.role),
            partner.get(p.name, ""),
            ", ".join(dialect(tag) for tag in p.reads),
            gettext(N_("retired")) if p.retired else "",
        )
        for p in project.people.everyone()
    ]
    output.table([gettext(h) for h in (N_("name"), N_("role"), N_("pair"), N_("reads"))] + [""], rows)


def _say(action: str, names: Sequence[str]) -> None:
    templates = {
        "add": N_("added: {names}"),
        "set": N_("changed: {names}"),
        "pair": N_("paired: {names}"),
        "retire": N_("retired: {names}"),
    }
    output.say(templates[action], names=", ".join(names))


def _tell_handed_on(name: str, one: HandedOn) -> None:
    """What became of the work of someone who left."""
    if one.pairs or one.people:
        output.say(
            N_("handed on from {name}: {pairs} {pairs:dialogue|dialogues} to other pairs, {people} to single people"),
            name=name,
            pairs=one.pairs,
            people=one.people,
        )
    if one.nobody:
        output.say(
            N_(
                "{count} {count:waits|wait} for someone to take the place of {name}: pair someone, then `workbench assign`"
            ),
            count=one.nobody,
            name=name,
        )


command = people
