"""`workbench people`: who works on a project, in what role, and in which pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_
from workbench import output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from db.project import Project

_ROLES = ("curator", "annotator", "expert")


@command(
    "people",
    "workbench people chats.workbench add 小林 --role annotator\n"
    "workbench people chats.workbench pair 小林 阿哲\n"
    "workbench people chats.workbench list",
    N_("A pair's first member is A. Someone who is retired gets no new work; what they decided stays."),
)
@project_argument
@argument(
    "action",
    metavar="add|list|pair|retire",
    type=click.Choice(["add", "list", "pair", "retire"]),
    help=N_("What to do."),
)
@argument("names", metavar="[NAME…]", nargs=-1, help=N_("Of whom; a pair's first is A."))
@option("--role", type=click.Choice(_ROLES), help=N_("Role of who is added."))
@as_option
@json_option
def people(path: Path, action: str, names: tuple[str, ...], role: str | None, by: str, as_json: bool) -> int:
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
    with opened(path, by) as project:
        if action == "add":
            for name in names:
                project.people.add(name, role or "", by)
        elif action == "pair":
            project.people.pair(names[0], names[1], by)
        elif action == "retire":
            for name in names:
                project.people.retire(name, by)
        if as_json:
            output.json(_everyone(project))
        elif action == "list":
            _show(project)
        else:
            _say(action, names)
    return 0


def _everyone(project: Project) -> dict[str, object]:
    return {
        "people": project.people.everyone(),
        "pairs": [{"id": pair.id, "A": pair.a, "B": pair.b} for pair in project.people.pairs()],
    }


def _show(project: Project) -> None:
    from workbench.labels import label
    from workbench.words import gettext

    partner = {}
    for pair in project.people.pairs():
        partner[pair.a] = f"A + {pair.b}"
        partner[pair.b] = f"B + {pair.a}"
    rows = [
        (p.name, label(p.role), partner.get(p.name, ""), gettext(N_("retired")) if p.retired else "")
        for p in project.people.everyone()
    ]
    output.table([gettext(N_("name")), gettext(N_("role")), gettext(N_("pair")), ""], rows)


def _say(action: str, names: tuple[str, ...]) -> None:
    templates = {"add": N_("added: {names}"), "pair": N_("paired: {names}"), "retire": N_("retired: {names}")}
    output.say(templates[action], names=", ".join(names))


command = people
