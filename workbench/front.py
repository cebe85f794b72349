"""The front door: the group of all commands, whose modules are loaded when they are called, and the way to the screens."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import click

from curation.errors import N_
from workbench import __version__, diagnostics, words
from workbench.commands import COMMANDS, module_name
from workbench.options import Family, Option, as_option, lang_option

_EXAMPLE = """\
workbench demo
workbench init chats.workbench
workbench import chats.workbench raw.jsonl
workbench chats.workbench"""


class Front(Family):
    """All commands, by the table; a first argument that is a path of a project opens it."""

    example = _EXAMPLE

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of a dialogue's life."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the module of `cmd_name` and return its command; None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(module_name(cmd_name)).command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command to run: one of the table, or the interface when the first argument is a path."""
        if args and args[0] not in COMMANDS and _is_path(args[0]):
            from workbench.opening import command

            return command.name, command, args
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an interrupt is ours to answer, not click's."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            return diagnostics.interrupted()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, without loading a module."""
        with formatter.section(words.gettext(N_("Commands"))):
            formatter.write_dl([(name, words.gettext(short)) for name, short in COMMANDS.items()])


def _is_path(text: str) -> bool:
    return not text.startswith("-") and (
        os.sep in text or "/" in text or bool(Path(text).suffix) or Path(text).exists()
    )


@click.group(
    "workbench",
    cls=Front,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="",
    subcommand_metavar="[PROJECT] | COMMAND PROJECT …",
    short_help=N_(
        "An offline workbench that takes raw two-party chats to a released, scored dialogue data set, on one file. "
        "With a project, or nothing, it opens the terminal interface."
    ),
)
@click.version_option(__version__, cls=Option, message="workbench %(version)s", help=N_("Show the version and exit."))
@as_option
@lang_option
@click.pass_context
def front(ctx: click.Context, by: str) -> int | None:
    """Run without a command: open the terminal interface at the list of projects."""
    if ctx.invoked_subcommand is not None:
        return None
    from workbench.opening import open_screens

    return open_screens(None, by)
