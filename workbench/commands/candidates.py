"""`workbench candidates`: which dialogues are worth a person's time, and why the others are not."""

from __future__ import annotations

from pathlib import Path

from curation.errors import N_
from workbench import diagnostics, output
from workbench.options import as_option, command, json_option, opened, project_argument


@command("candidates", "workbench candidates chats.workbench --json", N_("What somebody has screened stays as it is."))
@project_argument
@as_option
@json_option
def candidates(path: Path, by: str, as_json: bool) -> int:
    """Apply the rules and print the funnel."""
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        with diagnostics.busy(gettext(N_("looking at every dialogue"))):
            report = project.dialogues.apply_rules(by)
        if as_json:
            output.json({"candidates": report.candidates, "rejected": report.rejected})
        else:
            funnel(report.candidates, dict(report.rejected))
    return 0


def funnel(passed: int, rejected: dict[str, int]) -> None:
    """Print the candidates and, with reasons, what fails."""
    from curation.candidates import RULE_CODES
    from workbench.words import gettext

    output.say(N_("candidates: {count} of {total}"), count=passed, total=passed + sum(rejected.values()))
    if rejected:
        output.table(
            [gettext(N_("rejected")), gettext(N_("code")), gettext(N_("reason"))],
            [(count, code, gettext(RULE_CODES.get(code, ""))) for code, count in rejected.items()],
        )


command = candidates
