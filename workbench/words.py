"""In which language this run speaks, and sentences made of a template and its parameters.

`--lang` decides, else the setting of the project that was opened, else the locale.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from curation.errors import Phrase
from screens.display import visible
from screens.locale import gettext as gettext
from screens.locale import told, use

if TYPE_CHECKING:
    from curation.model import ReadWarning, Refusal

_forced: list[str] = []


def begin() -> None:
    """A run begins: the locale decides until something else does."""
    _forced.clear()
    use(None)


def force(lang: str) -> None:
    """`--lang` was given: nothing else decides any more in this run."""
    _forced.append(lang)
    use(lang)


def forced() -> str | None:
    """The language that `--lang` asked for, or None."""
    return _forced[-1] if _forced else None


def settle(lang: str) -> None:
    """A project was opened whose language is `lang`."""
    if not _forced:
        use(lang)


def safe(text: object) -> str:
    """`text` on one line, with every character that could do something to a terminal made visible."""
    return visible(str(text), one_line=True)


def sentence(template: str, params: Mapping[str, Any] | None = None) -> str:
    """`template` in the reader's language, filled in. Texts go through the display boundary, for they may be foreign."""
    return told(template, params)


def reason(one: Refusal | ReadWarning) -> str:
    """Why a record was refused, or what is odd about it, as a parameter of a sentence in the reader's language."""
    return Phrase(one.template, **one.params) if one.template else one.reason
