"""`workbench training`: dialogues with a known answer, and how far everyone's training is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.errors import N_, BadInput, WorkbenchError
from curation.work import Answer
from workbench import diagnostics, output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from db.project import Project


@command(
    "training",
    "workbench training chats.workbench add chat-020 --situation irony --feedback 说反话：前面刚抱怨过他迟到\n"
    "workbench training chats.workbench import gold.jsonl\n"
    "workbench training chats.workbench list",
    N_(
        "A line of the file is an object with dialogue, keep, situation and feedback. Who has not passed begins with these; "
        "the share to get right is the setting training_pass. A dialogue that is handed out to be screened can be no gold."
    ),
)
@project_argument
@argument(
    "action",
    metavar="add|remove|import|list",
    type=click.Choice(["add", "remove", "import", "list"]),
    help=N_("What to do."),
)
@argument("names", metavar="[ID…|FILE]", nargs=-1, help=N_("Which dialogues, or the file."))
@option("--situation", metavar="NAME", help=N_("The right answer: keep, with this situation."))
@option("--drop", is_flag=True, help=N_("The right answer: drop."))
@option("--feedback", metavar="TEXT", default="", help=N_("Why it is right; shown after the answer."))
@as_option
@json_option
def training(
    path: Path,
    action: str,
    names: tuple[str, ...],
    situation: str | None,
    drop: bool,
    feedback: str,
    by: str,
    as_json: bool,
) -> int:
    """Do it."""
    if action == "add" and (not names or (situation is None) == (not drop)):
        raise misused(N_("say which dialogues, and --situation NAME or --drop"))
    if action == "import" and len(names) != 1:
        raise misused(N_("import takes one file"))
    if action == "remove" and not names:
        raise misused(N_("say which dialogues"))
    refused = 0
    with opened(path, by, curator=True) as project:
        changed = 0
        if action == "add":
            for name in names:
                uid = project.dialogues.find(name).uid
                changed += project.rounds.set_gold(by, uid, Answer(not drop, situation or ""), feedback)
        elif action == "remove":
            changed = sum(project.rounds.remove_gold(by, project.dialogues.find(name).uid) for name in names)
        elif action == "import":
            changed, refused = _take(project, by, Path(names[0]))
        if as_json:
            output.json({"changed": changed, "refused": refused, **_figures(project)})
        elif action == "list":
            _show(project)
        else:
            output.say(N_("changed: {names}"), names=changed)
    return int(bool(refused))


def _take(project: Project, by: str, file: Path) -> tuple[int, int]:
    import json

    changed = refused = 0
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(N_("{file} cannot be read"), code="cannot_read", file=file) from error
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
            if not isinstance(line, dict) or type(line.get("keep")) is not bool:
                raise BadInput(
                    N_("a gold line is an object with dialogue, keep, situation and feedback"), code="bad_line"
                )
            uid = project.dialogues.find(str(line.get("dialogue", ""))).uid
            answer = Answer(line["keep"], str(line.get("situation") or ""))
            changed += project.rounds.set_gold(by, uid, answer, str(line.get("feedback") or ""))
        except (WorkbenchError, ValueError) as error:
            refused += 1
            found = (
                error if isinstance(error, WorkbenchError) else BadInput(N_("this line is no JSON"), code="bad_json")
            )
            diagnostics.report(found, f"{file.name}:{number}")
    return changed, refused


def _figures(project: Project) -> dict[str, Any]:
    return {
        "gold": [
            {"dialogue": name, "keep": a.keep, "situation": a.situation, "feedback": text}
            for name, a, text in project.rounds.gold()
        ],
        "people": [project.rounds.trained(p.name) for p in project.people.everyone() if p.role == "annotator"],
        "pass": project.settings.training_pass,
    }


def _show(project: Project) -> None:
    from workbench.labels import situation
    from workbench.words import gettext

    rows = [
        (name, situation(a.situation) if a.keep else gettext(N_("drop")), text)
        for name, a, text in project.rounds.gold()
    ]
    output.table([gettext(N_("dialogue")), gettext(N_("right answer")), gettext(N_("feedback"))], rows)
    output.line()
    heads = [N_("name"), N_("attempts"), N_("answered"), N_("right"), N_("of"), N_("passed")]
    output.table(
        [gettext(head) for head in heads],
        [
            (t.person, t.attempts, t.answered, t.right, t.items, gettext(N_("yes")) if t.passed else "")
            for p in project.people.everyone()
            if p.role == "annotator"
            for t in [project.rounds.trained(p.name)]
        ],
    )
    output.say(N_("passed from {share} % right"), share=round(project.settings.training_pass * 100))


command = training
