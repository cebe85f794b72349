"""What the commands share: how one is declared, the options that mean the same everywhere, and opening a project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from curation.errors import N_, BadInput
from workbench.commands import COMMANDS

if TYPE_CHECKING:
    from db.project import Project

CURATOR = "curator"
F = TypeVar("F", bound=Callable[..., Any])


class Option(click.Option):
    """An option whose help is translated when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option's line of `--help`."""
        from workbench.words import gettext

        plain = self.help
        self.help = gettext(plain) if plain else plain
        try:
            return super().get_help_record(ctx)
        finally:
            self.help = plain


class Command(click.Command):
    """A command whose help is translated when it is shown and ends with an example."""

    example: str = ""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option --help, in the reader's language."""
        from workbench.words import gettext

        found = super().get_help_option(ctx)
        if found is not None:
            found.help = gettext(N_("Show this message and exit."))
        return found

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments."""
        from workbench.words import gettext

        found = [param for param in self.get_params(ctx) if isinstance(param, click.Argument)]
        if found:
            with formatter.section(gettext(N_("Arguments"))):
                formatter.write_dl([one.get_help_record(ctx) for one in found])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options."""
        from workbench.words import gettext

        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = [record for param in options if (record := param.get_help_record(ctx)) is not None]
        with formatter.section(gettext(N_("Options"))):
            formatter.write_dl(records)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does, from the table of commands and its own further words."""
        from workbench.words import gettext

        for text in (self.short_help, self.help):
            if text:
                formatter.write_paragraph()
                with formatter.indentation():
                    formatter.write_text(gettext(text))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example."""
        from workbench.words import gettext

        with formatter.section(gettext(N_("Example"))):
            for line in self.example.splitlines():
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


class Family(Command, click.Group):
    """A command that has commands of its own."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with what each does."""
        from workbench.words import gettext

        with formatter.section(gettext(N_("Commands"))):
            formatter.write_dl([(name, gettext(one.short_help or "")) for name, one in self.commands.items()])


def command(name: str, example: str, more: str = "") -> Callable[[Callable[..., int | None]], Command]:
    """Declare the command `name` of the table, with an example of its use and, where one line is not enough, `more`."""

    def declare(function: Callable[..., int | None]) -> Command:
        return _declared(name, COMMANDS[name], example, more, function)

    return declare


def part(
    family: Family, name: str, short: str, example: str, more: str = ""
) -> Callable[[Callable[..., int | None]], Command]:
    """Declare a command of a family."""

    def declare(function: Callable[..., int | None]) -> Command:
        made = _declared(name, short, example, more, function)
        family.add_command(made)
        return made

    return declare


def _declared(name: str, short: str, example: str, more: str, function: Callable[..., int | None]) -> Command:
    made = click.command(name, cls=Command, short_help=short, help=more)(lang_option(function))
    made.example = example
    return made


def option(*names: str, **settings: Any) -> Callable[[F], F]:
    """An option with translated help."""
    return click.option(*names, cls=Option, **settings)


class Argument(click.Argument):
    """An argument whose help is translated when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """The argument's row in the help."""
        from workbench.words import gettext

        name, words = super().get_help_record(ctx)
        return name, gettext(words) if words else ""


def argument(*names: str, **settings: Any) -> Callable[[F], F]:
    """An argument with translated help."""
    return click.argument(*names, cls=Argument, **settings)


def project_argument(function: F) -> F:
    """PROJECT, the first argument: the path of the project file."""
    return argument("path", metavar="PROJECT", type=click.Path(path_type=Path), help=N_("The project file."))(function)


def json_option(function: F) -> F:
    """--json: figures as one JSON object."""
    return option("--json", "as_json", is_flag=True, help=N_("Print figures as one JSON object."))(function)


def as_option(function: F) -> F:
    """--as NAME: who acts."""

    def acting(ctx: click.Context, _: click.Parameter, value: str | None) -> str:
        name = value or ctx.find_root().params.get("by") or CURATOR
        # Bytes that are no text among them; and an empty name, as an unset variable of a shell gives, is nobody's.
        if value == "" or not str(name).isprintable():
            raise misused(N_("a name has visible characters alone"))
        return str(name)

    return option("--as", "by", metavar="NAME", callback=acting, help=N_("Who acts; `curator` when not given."))(
        function
    )


def lang_option(function: F) -> F:
    """--lang zh|en: the language of what is said; else the project's, else the locale's."""

    def chosen(_: click.Context, __: click.Parameter, value: str | None) -> None:
        from workbench.words import force

        if value:
            force(value)

    return option(
        "--lang",
        type=click.Choice(["zh", "en"]),
        callback=chosen,
        expose_value=False,
        is_eager=True,
        help=N_("Language of what is printed; else the project's, else the system's."),
    )(function)


@contextmanager
def opened(path: Path, by: str = CURATOR, *, curator: bool = False, here: bool = False) -> Iterator[Project]:
    """The project at `path`, opened; from now on this run speaks its language unless `--lang` said otherwise.

    Raises NotFound when `by`, unless it is the default, is no one of the project: a slip must not get into the log; and
    RefusedStep when the step is a curator's and they are none, or have left (a guard against slips too: whoever has the
    file has all). `here` refuses whoever has left and asks for no role: what carries everybody's words out.
    """
    from db.project import Project
    from workbench.words import settle

    with Project.open(path) as project:
        settle(project.settings.lang)
        if curator:
            project.people.must_curate(by)
        elif by != CURATOR:
            project.people.get(by)
        if here:
            project.people.must_be_here(by)
        yield project


def not_itself(project: Path, file: Path) -> None:
    """Raise BadInput when `file` is the open project or one of its companions.

    Opening and closing it a second time in this process would drop SQLite's locks on it (see `db.connection`).
    """
    for name in (project.name, *(f"{project.name}{end}" for end in ("-wal", "-shm", "-journal"))):
        ours = project.with_name(name)
        if ours.exists() and file.exists() and ours.samefile(file):
            raise BadInput(N_("{file} is the project itself"), code="project_itself", file=file)


def misused(template: str, /, **params: object) -> click.UsageError:
    """A call that cannot be meant: to be raised."""
    from workbench.words import sentence

    return click.UsageError(sentence(template, params), ctx=click.get_current_context(silent=True))
