"""`workbench inbox`: what the lead says to people about their dialogues, and what they reply."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_
from workbench import output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from curation.work.inbox import Letter

_ACTIONS = ("list", "read", "say", "reply")


@command(
    "inbox",
    "workbench inbox chats.workbench --as 小林\n"
    "workbench inbox chats.workbench say chat-020 看看第三轮 --to 小林\n"
    "workbench inbox chats.workbench reply 3f2a:41 明白了 --as 小林",
    N_(
        "Comments and rulings on what one has decided; they come when both of the pair have committed, never before. "
        "list shows what was not read, read marks it (all of it without a name), reply answers it; say is the lead's."
    ),
)
@project_argument
@argument(
    "action", metavar="[list|read|say|reply]", default="list", type=click.Choice(_ACTIONS), help=N_("What to do.")
)
@argument("words", metavar="[DIALOGUE|REF] [TEXT]", nargs=-1, help=N_("On what, and the text of say and reply."))
@option("--to", metavar="NAME", help=N_("To whom something is said."))
@option("--all", "every", is_flag=True, help=N_("List what was read and sent too."))
@as_option
@json_option
def inbox(path: Path, action: str, words: tuple[str, ...], to: str | None, every: bool, by: str, as_json: bool) -> int:
    """Do it."""
    if action in ("say", "reply") and len(words) != 2:
        raise misused(N_("{action} takes two words: on what, and the text in quotes"), action=action)
    if action == "list" and words:
        raise misused(N_("list takes no name"))
    if (action == "say") != (to is not None):
        raise misused(N_("say goes with --to, and nothing else does"))
    with opened(path, by) as project:
        letters = project.inbox
        if action == "say":
            ref = letters.say(by, project.dialogues.find(words[0]).uid, to or "", words[1])
            _done({"said": ref}, as_json, N_("said: {ref}"), ref=ref)
        elif action == "reply":
            ref = letters.reply(by, words[0], words[1])
            _done({"said": ref}, as_json, N_("said: {ref}"), ref=ref)
        elif action == "read":
            refs = list(words) or [one.ref for one in letters.letters(by, unread=True)]
            count = letters.read(by, refs)
            _done({"read": count}, as_json, N_("read: {count}"), count=count)
        else:
            found = letters.letters(by, unread=not every)
            if as_json:
                output.json({"unread": letters.unread(by), "letters": found})
            else:
                _show(found)
    return 0


def _done(figures: dict[str, object], as_json: bool, template: str, **params: object) -> None:
    if as_json:
        output.json(figures)
    else:
        output.say(template, **params)


def _show(found: list[Letter]) -> None:
    from workbench.labels import situation
    from workbench.words import gettext

    if not found:
        output.say(N_("nothing new; --all shows what was read"))
        return
    kinds = {"comment": N_("comment"), "ruling": N_("ruling"), "answer": N_("answer")}
    rows = []
    for one in found:
        text = one.text
        if one.kind == "ruling":
            verdict = f"{gettext(N_('keep'))} {situation(one.outcome)}" if one.outcome else gettext(N_("drop"))
            text = f"{verdict}  {text}".rstrip()
        whom = f"→ {one.reader}" if one.sent else one.writer
        rows.append((one.ref, "" if one.read else "*", gettext(kinds[one.kind]), one.dialogue, whom, text))
    heads = (N_("reference"), "", N_("kind"), N_("dialogue"), N_("who"), N_("text"))
    output.table([gettext(head) if head else "" for head in heads], rows)


command = inbox
