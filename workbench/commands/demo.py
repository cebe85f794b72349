"""`workbench demo`: a sample project, carried through its whole life."""

from __future__ import annotations

from pathlib import Path

import click

from curation.errors import N_
from workbench import output
from workbench.options import argument, command, json_option


@command("demo", "workbench demo\nworkbench demo my-demo --lang zh", N_("DIR is `workbench-demo` when not given."))
@argument(
    "folder",
    metavar="[DIR]",
    type=click.Path(path_type=Path),
    default=Path("workbench-demo"),
    help=N_("Where the sample project and its release go."),
)
@json_option
def demo(folder: Path, as_json: bool) -> int:
    """Tell each step in a line as it is done, and how to go on."""
    from screens.locale import language
    from workbench.demo import PROJECT, RELEASE, carried
    from workbench.words import sentence

    done = []
    for step in carried(folder, language()):
        done.append({"step": step.command, **step.counts})
        if not as_json:
            output.line(f"{step.command:<10}  {sentence(step.template, step.counts)}")
            output.flush()
    if as_json:
        output.json({"project": folder / PROJECT, "release": folder / RELEASE, "steps": done})
    else:
        output.say(N_("open it: workbench {path}"), path=folder / PROJECT)
    return 0


command = demo
