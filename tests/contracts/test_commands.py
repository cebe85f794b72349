"""The table of commands against the commands, and what every one of them must have."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from workbench.commands import COMMANDS, module_name
from workbench.front import front
from workbench.options import Command, Option

ROOT = Path(__file__).resolve().parents[2]
# Without figures to print: these open the interface, or answer in JSON lines anyway.
_NO_FIGURES = {"expert", "score", "screen", "stats", "text"}
_NO_PROJECT = {"demo", "stats", "text"}


def command(name: str) -> Command:
    found = import_module(module_name(name)).command
    assert isinstance(found, Command)
    return found


def every() -> list[tuple[str, Command]]:
    """Every command, those of a family too, by the words that call it."""
    found = []
    for name in COMMANDS:
        one = command(name)
        found.append((name, one))
        if isinstance(one, click.Group):
            for part in one.commands.values():
                assert isinstance(part, Command)
                found.append((f"{name} {part.name}", part))
    return found


def test_the_table_and_the_modules_name_the_same_commands() -> None:
    folder = ROOT / "workbench" / "commands"
    modules = {p.stem for p in folder.glob("*.py")} - {"__init__"}
    assert modules == {module_name(name).rpartition(".")[2] for name in COMMANDS}
    for name, short in COMMANDS.items():
        assert command(name).name == name
        assert command(name).short_help == short


@pytest.mark.parametrize(("words", "one"), every(), ids=[words for words, _ in every()])
def test_every_command_has_help_with_an_example_of_itself(words: str, one: Command) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "workbench", *words.split(), "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert one.example
    assert all(f"workbench {words}" in line for line in one.example.splitlines() if not isinstance(one, click.Group))
    assert all(line in done.stdout for line in one.example.splitlines())
    assert all(p.help for p in one.params if isinstance(p, Option))


@pytest.mark.parametrize("name", COMMANDS)
def test_options_that_mean_the_same_are_everywhere(name: str) -> None:
    one = command(name)
    params = {p.name: p for p in one.params}
    assert "lang" in params
    if name not in _NO_FIGURES:
        assert "as_json" in params
    if name not in _NO_PROJECT:
        first = next(p for p in one.params if isinstance(p, click.Argument))
        assert first.make_metavar(click.Context(one)) == "PROJECT"


def test_the_list_of_commands_has_one_line_each() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "workbench", "--help", "--lang", "en"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name, short in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(short)}$", done.stdout, re.MULTILINE), name
    assert front.list_commands(click.Context(front)) == list(COMMANDS)


def cpu(*argv: str) -> float:
    """Seconds of CPU that a child takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *argv], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_costs_at_most_twice_what_click_does() -> None:
    """In turns, and the least of each: what else the machine does must not count for one side alone."""
    rounds = [(cpu("-m", "workbench", "--help"), cpu("-c", "import click")) for _ in range(15)]
    ours, theirs = map(min, zip(*rounds, strict=True))
    assert ours <= 2 * theirs


def test_every_command_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if not re.search(rf"\bworkbench {name}\b", text)] == []
