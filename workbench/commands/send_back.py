"""`workbench send-back`: a dialogue back to screening, because its situation no longer holds."""

from __future__ import annotations

from pathlib import Path

from curation.errors import N_
from workbench import output
from workbench.labels import label
from workbench.options import argument, as_option, command, json_option, opened, option, project_argument


@command(
    "send-back",
    "workbench send-back chats.workbench chat-001 --note 截短后看不出反话了",
    N_("It is disputed again: the two decide anew, or the lead rules. What was decided before counts no more."),
)
@project_argument
@argument("name", metavar="ID", help=N_("The dialogue: its id, or source:id."))
@option("--note", metavar="TEXT", required=True, help=N_("What does not hold any more."))
@as_option
@json_option
def send_back(path: Path, name: str, note: str, by: str, as_json: bool) -> int:
    """Send it back."""
    with opened(path, by, curator=True) as project:
        stored = project.dialogues.find(name)
        project.rewriting.send_back(stored.uid, by, note)
        stage = project.dialogues.find(stored.uid).stage
        if as_json:
            output.json({"id": stored.external_id, "stage": stage})
        else:
            output.say(N_("{id} is {stage} again"), id=stored.external_id, stage=label(stage.value))
    return 0


command = send_back
