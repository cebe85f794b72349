"""`workbench purge`: destroy the originals of approved dialogues."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.errors import N_, RefusedStep
from curation.work.purging import PurgePlan
from workbench import diagnostics, output
from workbench.options import argument, as_option, command, json_option, opened, option, project_argument

if TYPE_CHECKING:
    from db.rawbytes import Needles

_TOLD = 20
_KINDS = {
    "backup": N_("backup"),
    "packet": N_("packet"),
    "raw": N_("raw copy"),
    "prompts": N_("prompts"),
    "decisions": N_("decision lines"),
    "disputed": N_("disputed ones, apart"),
    "release": N_("release"),
}


@command(
    "purge",
    "workbench purge chats.workbench --dry-run\nworkbench purge chats.workbench chat-001 --yes",
    N_(
        "What goes: raw text with all that came beside it, what was decided on it, reasons and notes, drafts, other "
        "versions of the same dialogue. What stays: the approved text, counts and versions. It cannot be undone. The "
        "imported files, copies made of the project and what a disk keeps of deleted blocks are not in its reach."
    ),
)
@project_argument
@argument("names", metavar="[ID…]", nargs=-1, help=N_("These dialogues only; without any, all that are approved."))
@option("--dry-run", "dry", is_flag=True, help=N_("Say what would go, and destroy nothing."))
@option("--yes", is_flag=True, help=N_("Do not ask."))
@as_option
@json_option
def purge(path: Path, names: tuple[str, ...], dry: bool, yes: bool, by: str, as_json: bool) -> int:
    """Say what would go, ask, destroy it, wipe the file, and look through its bytes."""
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        plan = project.purging.plan(names or None, _counted)
        if not as_json:
            _show(plan)
        _refuse(plan.refused)
        figures: dict[str, Any] = {
            "dialogues": len(plan.uids),
            "versions": plan.versions,
            "texts": dict(plan.payloads),
            "refused": {name: list(why) for name, why in plan.refused.items()},
            "copies": output.plain(plan.copies),
            "unfinished": plan.unfinished,
        }
        if dry or not (plan.uids or plan.due):
            if as_json:
                output.json({**figures, "purged": 0, "wiped": not plan.due, "looked_for": 0, "found_after": None})
            return int(bool(plan.refused))
        if plan.uids:
            _ask(yes, len(plan.uids))
        with diagnostics.busy(gettext(N_("destroying"))):
            _, needles = project.purging.purge(plan, by)
            wiped = project.purging.wipe()
    # What an unfinished purge destroyed is known to nobody any more: there is nothing of it to look for.
    found = _found(path, needles) if wiped and plan.uids else None
    looked = len(needles) if found is not None else 0
    if as_json:
        output.json({**figures, "purged": len(plan.uids), "wiped": wiped, "looked_for": looked, "found_after": found})
    elif plan.uids:
        output.say(N_("destroyed: the originals of {count} {count:dialogue|dialogues}"), count=len(plan.uids))
    if not wiped:
        diagnostics.note(
            N_(
                "another window has the project open and reads or writes: what was destroyed can still stand in the"
                " write-ahead log ({name}); close the other windows and run purge again"
            ),
            name=f"{path.name}-wal",
        )
    elif found:
        diagnostics.note(
            N_(
                "the file's bytes still hold {count} {count:piece|pieces} of what was destroyed; run purge again, and tell us"
            ),
            count=found,
        )
    elif found is not None and not looked and not as_json:
        output.say(N_("there was nothing to look for in the bytes of the file: all of it stands in texts that stay"))
    elif found is not None and not as_json:
        output.say(
            N_("looked for {count} {count:piece|pieces} of them in the bytes of the file: none is left"), count=looked
        )
    if wiped and plan.due:
        diagnostics.note(
            N_(
                "the earlier purge of {count} {count:dialogue|dialogues} is finished: the file was written "
                "anew. Its bytes were not looked"
                " through for them, since their words are known to nobody any more; `workbench check PROJECT --leaks"
                " --against FILE` does it with the file that they came from"
            ),
            count=plan.unfinished,
        )
    return int(bool(plan.refused) or not wiped or bool(found))


def _counted(keys: Iterable[int]) -> Iterable[int]:
    from workbench.words import gettext

    return diagnostics.counted(keys, gettext(N_("looking at dialogues")))


def _ask(yes: bool, count: int) -> None:
    """Have a person say yes, where there is one. Raises RefusedStep where nobody can be asked, or the answer is no."""
    from workbench.words import sentence

    if yes:
        return
    if not sys.stdin.isatty():
        raise RefusedStep(N_("nothing was destroyed: with nobody to ask, purge needs --yes"), code="not_confirmed")
    question = sentence(
        N_("Destroy the originals of {count} {count:dialogue|dialogues}? This cannot be undone."), {"count": count}
    )
    if not click.confirm(question, default=False, err=True):
        raise RefusedStep(N_("nothing was destroyed"), code="not_confirmed")


def _found(path: Path, needles: Needles) -> int:
    """How many pieces the bytes of the project's files still hold."""
    from db.rawbytes import chunks, companions

    found: set[bytes] = set()
    for file in companions(path):
        found |= needles.found_in(chunks(file))
    return len(found)


def _show(plan: PurgePlan) -> None:
    from workbench.labels import label
    from workbench.words import gettext

    output.say(
        N_("dialogues whose originals go: {count}, other versions of them: {versions}"),
        count=len(plan.uids),
        versions=plan.versions,
    )
    if plan.payloads:
        heads = [gettext(N_("texts")), gettext(N_("brought by"))]
        output.table(
            heads,
            [(count, label("raw" if kind == "imported" else kind)) for kind, count in sorted(plan.payloads.items())],
        )
    if plan.copies:
        output.line()
        output.say(N_("what was made of this project before, and what it still holds:"))
        heads = [gettext(N_("originals")), gettext(N_("what")), gettext(N_("name")), gettext(N_("made"))]
        output.table(
            heads, [(c.originals, gettext(_KINDS.get(c.kind, c.kind)), c.name, c.at[:10]) for c in plan.copies]
        )
    if plan.due:
        output.say(N_("an earlier purge was not finished on the disk; this one finishes it"))


def _refuse(refused: Mapping[str, tuple[str, ...]]) -> None:
    from workbench.commands.approve import reason

    for name, codes in list(refused.items())[:_TOLD]:
        diagnostics.note(
            N_("{id} stays as it is: {reasons}"), id=name, reasons="; ".join(reason(code) for code in codes)
        )
    if len(refused) > _TOLD:
        diagnostics.note(N_("and {count} more {count:stays as it is|stay as they are}"), count=len(refused) - _TOLD)


command = purge
