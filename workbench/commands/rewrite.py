"""`workbench rewrite`: one message anew, in as little as it takes, with a reason; and a second person's signature."""

from __future__ import annotations

from pathlib import Path

import click

from curation.errors import N_
from curation.rewriting import REASONS
from workbench import output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument


@command(
    "rewrite",
    "workbench rewrite chats.workbench chat-001 --message 3 --text 明天见 --reason garbled\n"
    "workbench rewrite chats.workbench chat-001 --message 3 --sign --as 阿哲",
    N_(
        "What did not change is kept as it is, character by character. Beyond the share that the project sets, another "
        "curator has to sign it; `workbench log --undo` takes it back."
    ),
)
@project_argument
@argument("name", metavar="ID", help=N_("The dialogue: its id, or source:id."))
@option("--message", metavar="N", type=click.IntRange(1), required=True, help=N_("Which message, counted from 1."))
@option("--text", metavar="TEXT", help=N_("The text that is to stand there."))
@option("--reason", type=click.Choice(list(REASONS)), help=N_("Why it is rewritten."))
@option("--allow", is_flag=True, help=N_("What reads like a name in it is none; another curator has to sign it."))
@option("--sign", is_flag=True, help=N_("Stand by what another person made of it."))
@as_option
@json_option
def rewrite(
    path: Path,
    name: str,
    message: int,
    text: str | None,
    reason: str | None,
    allow: bool,
    sign: bool,
    by: str,
    as_json: bool,
) -> int:
    """Rewrite, or sign."""
    if sign == (text is not None) or (text is not None and reason is None):
        raise misused(N_("give --text and --reason to rewrite, or --sign to stand by what another person wrote"))
    with opened(path, by, curator=True) as project:
        uid = project.dialogues.find(name).uid
        done = None
        if sign:
            signed = project.rewriting.sign(uid, by, message - 1)
        else:
            signed = False
            done = project.rewriting.rewrite(uid, by, message - 1, text or "", reason or "", allow=allow)
        page = project.control.page(uid, by)
        row = page.messages[message - 1]
        if as_json:
            facts = {
                "message": message,
                "share": row.share,
                "unsigned": row.unsigned,
                "signed_by": row.signed_by or None,
            }
            output.json({"changed": bool(done or signed), "entry": done.ref if done else None, **facts})
            return 0
        if sign:
            output.say(N_("signed") if signed else N_("it was signed already"))
        elif done is None:
            output.say(N_("nothing was changed: that is what stands there"))
        else:
            output.say(N_("rewritten ({ref}): {share} of the message changed"), ref=done.ref, share=f"{row.share:.0%}")
        if row.unsigned:
            output.say(N_("another curator has to sign it: --sign --as NAME"))
    return 0


command = rewrite
