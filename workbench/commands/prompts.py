"""`workbench prompts`: what systems are asked, as JSON lines to run elsewhere."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_, BadInput
from curation.work.asking import MODES
from workbench import diagnostics, output
from workbench.options import as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from db.prompts import Prompted


@command(
    "prompts",
    "workbench prompts chats.workbench --mode cot --lang zh --out cot.jsonl\n"
    "workbench prompts chats.workbench --mode direct --lang en --form batch --model gpt-4o > direct.jsonl\n"
    "workbench prompts chats.workbench --mode cot-emotion --out ablation.jsonl",
    N_(
        "Only approved text leaves, unless the setting prompt_stage lets agreed text go, masked; such lines say so. The ids"
        " tell nothing and tie replies to what was asked. --lang is the language of the prompts, too. cot-FIELD leaves a"
        " process field out, for the first 100 of the sample."
    ),
)
@project_argument
@option("--mode", type=click.Choice(MODES), required=True, help=N_("What is asked for."))
@option("--form", type=click.Choice(["plain", "batch"]), default="plain", help=N_("Plain, or OpenAI's batch form."))
@option("--model", metavar="NAME", default="", help=N_("The model, for the batch form."))
@option("--temperature", metavar="T", type=click.FloatRange(0, 10), help=N_("The temperature, for the batch form."))
@option(
    "--templates", metavar="DIR", type=click.Path(path_type=Path), help=N_("Templates of your own: zh.toml, en.toml.")
)
@option("--n", "count", metavar="N", type=click.IntRange(1), help=N_("Only the first N of the sample."))
@option(
    "--missing", "system", metavar="SYSTEM", help=N_("Only what this system has not answered, or must answer again.")
)
@option(
    "--out", metavar="FILE", type=click.Path(path_type=Path), help=N_("A new file; standard output when not given.")
)
@as_option
@json_option
def prompts(
    path: Path,
    mode: str,
    form: str,
    model: str,
    temperature: float | None,
    templates: Path | None,
    count: int | None,
    system: str | None,
    out: Path | None,
    by: str,
    as_json: bool,
) -> int:
    """Write them."""
    from curation.prompts import line
    from workbench import words

    if (form == "batch") != bool(model):
        raise misused(N_("the batch form needs --model, and only that takes one"))
    if temperature is not None and form != "batch":
        raise misused(N_("--temperature goes with the batch form"))
    if as_json and out is None:
        raise misused(N_("--json goes with --out: without it the prompts themselves are printed"))
    with opened(path, by, curator=True) as project:
        if out is not None and out.exists():
            raise BadInput(N_("{path} is there already; nothing was changed"), code="exists", path=out)
        lang = words.forced() or project.settings.lang
        without: set[str] = set()
        if system is not None:
            project.systems.get(system)
            without = {r.uid for r in project.replies.usable(system, mode)}
        made = project.prompts.make(
            mode, lang, by, folder=templates, count=count, without=without, to=out.name if out is not None else "-"
        )
        lines = (
            output.encoded(
                line(one.id, made.template, mode, one.stage, one.messages, model=model, temperature=temperature)
            )
            for one in made.prompts
        )
        if out is None:
            for one in lines:
                output.raw(one)
        else:
            _write(out, b"".join(lines))
    _tell(made, lang, out, as_json)
    return int(made.left_out > 0)


def _write(out: Path, data: bytes) -> None:
    try:
        with open(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as handle:
            handle.write(data)
    except FileExistsError:
        raise BadInput(N_("{path} is there already; nothing was changed"), code="exists", path=out) from None
    except OSError as error:
        raise BadInput(
            N_("{path} cannot be written ({reason})"), code="unwritable", path=out, reason=error.strerror
        ) from None


def _tell(made: Prompted, lang: str, out: Path | None, as_json: bool) -> None:
    if as_json:
        output.json(
            {
                "prompts": len(made.prompts),
                "new": made.new,
                "left_out": made.left_out,
                "mode": made.mode,
                "lang": lang,
                "template": made.template.name,
                "stages": made.stages,
                "file": out,
            }
        )
    elif out is not None:
        output.say(
            N_("wrote {count} {count:prompt|prompts} to {path} (template {template})"),
            count=len(made.prompts),
            path=out,
            template=made.template.name,
        )
    if made.left_out:
        diagnostics.note(
            N_(
                "left out: {count} {count:dialogue of the sample is|dialogues of the sample are} not approved "
                "now, so {count:its|their} text may not leave"
            ),
            count=made.left_out,
        )
    if agreed := made.stages.get("agreed"):
        diagnostics.note(
            N_(
                "{count} {count:prompt holds|prompts hold} text that is agreed on and masked, not approved; "
                "{count:its line says|their lines say} so"
            ),
            count=agreed,
        )


command = prompts
