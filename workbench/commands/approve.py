"""`workbench approve`: what may be released."""

from __future__ import annotations

from pathlib import Path

from curation.checks import MATTERS
from curation.errors import N_
from curation.work import ApprovalReport
from workbench import diagnostics, output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument

_REASONS = {
    **{code: words for code, (_, words) in MATTERS.items()},
    "not_approved": N_("it is not approved"),
    "no_dialogue": N_("there is no such dialogue"),
    "ambiguous": N_("it stands in several sources; say source:id"),
}
_TOLD = 20


@command(
    "approve",
    "workbench approve chats.workbench --clean\nworkbench approve chats.workbench chat-001",
    N_(
        "The text as it stands is approved; any later change opens it again. What was never normalised is approved as it "
        "was typed, and counted."
    ),
)
@project_argument
@argument("names", metavar="[ID…]", nargs=-1, help=N_("These dialogues only."))
@option("--clean", is_flag=True, help=N_("All agreed dialogues that have nothing open."))
@as_option
@json_option
def approve(path: Path, names: tuple[str, ...], clean: bool, by: str, as_json: bool) -> int:
    """Approve, and say what keeps the others from it."""
    if bool(names) == clean:
        raise misused(N_("say which dialogue, or --clean for all that have nothing open"))
    with opened(path, by, curator=True) as project:
        report = project.quality.approve(by, None if clean else names)
        if as_json:
            figures = {"approved": report.approved, "open": report.open, "dialogues": report.dialogues}
            output.json({**figures, "not_normalised": report.as_typed})
        else:
            output.say(N_("approved: {count}"), count=report.approved)
            _show(report)
        if names:
            _refuse(report)
        if report.as_typed:
            diagnostics.note(
                N_(
                    "of those approved now, never normalised: {count}; their text stands as it was typed. To have it"
                    " normalised, take the approval back (`workbench log PROJECT --undo {ref}`), run `workbench normalize`"
                    " and approve again"
                ),
                count=report.as_typed,
                ref=report.ref,
            )
    return int(bool(names and report.open))


def reason(code: str) -> str:
    """A reason why something stays open, in the reader's language."""
    from workbench.words import gettext

    return gettext(_REASONS[code]) if code in _REASONS else code


def _show(report: ApprovalReport) -> None:
    from workbench.words import gettext

    if report.open:
        output.table(
            [gettext(N_("open")), gettext(N_("code")), gettext(N_("reason"))],
            [(count, code, gettext(_REASONS.get(code, ""))) for code, count in report.open.items()],
        )


def _refuse(report: ApprovalReport) -> None:
    from workbench.words import gettext

    for name, codes in list(report.dialogues.items())[:_TOLD]:
        reasons = "; ".join(gettext(_REASONS.get(code, code)) for code in codes)
        diagnostics.note(N_("{id} is not approved: {reasons}"), id=name, reasons=reasons)


command = approve
