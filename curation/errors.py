"""The exceptions this program raises on purpose, and the words they carry.

    WorkbenchError              anything a user can act on
    ├── UsageError              the call itself is wrong (exit status 2)
    ├── BadInput                a file or record cannot be read as what it claims to be
    ├── RefusedStep             a rule of the trade forbids the step now
    ├── NotFound                no such dialogue, person, pair or event
    ├── BadProject              not a project file, too new, damaged, or in an unsafe place
    └── MissingExtra            an optional package is not installed

A message is a template and its parameters, so that the front door can say it in the reader's language: the English
template is the key of the message catalogue. Parameters may hold text from a file; whoever prints them passes them
through the display boundary first.
"""

from __future__ import annotations

from collections.abc import Mapping

from curation.wording import filled


def N_(template: str) -> str:  # noqa: N802 - the name that message extraction tools look for
    """Mark `template` for the message catalogue without translating it here. Returns it unchanged."""
    return template


class Phrase(str):
    """A part of a sentence that is itself a template with parameters, to stand as a parameter of the whole.

    As a string it is the English words, so whoever does not translate needs to know nothing of it.
    """

    __slots__ = ("params", "template")

    template: str
    params: Mapping[str, object]

    def __new__(cls, template: str, /, **params: object) -> Phrase:
        """`template` filled in; without parameters it is taken as it is, braces and all."""
        made = super().__new__(cls, filled(template, params) if params else template)
        made.template, made.params = template, params
        return made


class WorkbenchError(Exception):
    """A failure whose message tells a user what to do.

    `template` is an English sentence with `{named}` fields, `code` a stable machine name (for reject files and tests).
    """

    exit_status = 1

    def __init__(self, template: str, /, code: str = "", **params: object) -> None:
        self.template = template
        self.params = params
        self.code = code or type(self).__name__
        super().__init__(filled(template, params) if params else template)


class UsageError(WorkbenchError):
    """The command was called with words that do not fit together."""

    exit_status = 2


class BadInput(WorkbenchError):
    """A file or a record cannot be read as what it claims to be."""


class RefusedStep(WorkbenchError):
    """A rule of the trade forbids this step now (for example: approving with findings undecided)."""


class NotFound(WorkbenchError):
    """No such dialogue, person, pair or event in this project."""


class BadProject(WorkbenchError):
    """The file is no project of ours, was made by a newer program, is damaged, or lies where it is not safe."""


class MissingExtra(WorkbenchError):
    """A package of an optional extra is needed for this command and is not installed."""

    exit_status = 2
