"""`workbench normalize`: the text of agreed dialogues, without flattening how it is said, and which dialect that is."""

from __future__ import annotations

from pathlib import Path

from curation.errors import N_
from workbench import diagnostics, output
from workbench.options import as_option, command, json_option, opened, project_argument


@command("normalize", "workbench normalize chats.workbench")
@project_argument
@as_option
@json_option
def normalize(path: Path, by: str, as_json: bool) -> int:
    """Normalise, tag dialects, and count what was changed by which rule and which dialects there are."""
    from curation.normalise import RULES
    from screens.names import dialect
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        with diagnostics.busy(gettext(N_("normalising"))):
            report = project.quality.normalise(by)
        with diagnostics.busy(gettext(N_("looking for dialects"))):
            dialects = project.dialects.tag()
        if as_json:
            figures = {"dialogues": report.dialogues, "changed": report.changed, "edits": report.counts}
            output.json({**figures, "dialects": dialects})
            return 0
        output.say(
            N_("dialogues: {dialogues}, changed now: {changed}"), dialogues=report.dialogues, changed=report.changed
        )
        if report.counts:
            output.table(
                [gettext(N_("edits")), gettext(N_("rule")), gettext(N_("reason"))],
                [(count, rule, gettext(RULES.get(rule, ""))) for rule, count in report.counts.items()],
            )
        if dialects:
            output.line()
            output.table(
                [gettext(N_("dialogues")), gettext(N_("dialect"))],
                [(count, dialect(tag)) for tag, count in dialects.items()],
            )
    return 0


command = normalize
