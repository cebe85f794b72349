"""`workbench review`: the identifiers of agreed dialogues, looked over by a person."""

from __future__ import annotations

from pathlib import Path

from curation.errors import N_
from workbench import output
from workbench.opening import open_screens
from workbench.options import as_option, command, json_option, opened, option, project_argument


@command(
    "review",
    "workbench review chats.workbench --as 小林\nworkbench review chats.workbench --counts",
    N_("Opens the interface at the review. Deciding is a curator's step; others see identifiers masked."),
)
@project_argument
@option("--counts", is_flag=True, help=N_("Print how far the review is instead."))
@as_option
@json_option
def review(path: Path, counts: bool, by: str, as_json: bool) -> int:
    """Open it, or count."""
    if not counts and not as_json:
        return open_screens(path, by, "review")
    with opened(path, by) as project:
        found = project.reviews.counts()
    if as_json:
        output.json(found)
        return 0
    output.say(
        N_(
            "agreed: {agreed}, with something undecided: {waiting} ({findings} {findings:finding|findings}, as far as was looked)"
        ),
        agreed=found.agreed,
        waiting=found.waiting,
        findings=found.findings,
    )
    output.say(
        N_("reviews done: {done}, signed by a second person: {signed}, not releasable: {barred}"),
        done=found.done,
        signed=found.signed,
        barred=found.barred,
    )
    output.say(
        N_("the project's lists: {allow} never, {deny} always, {recognisers} {recognisers:recogniser|recognisers}"),
        **found.lists,
    )
    return 0


command = review
