"""The message catalogue: English sentences are the keys, `zh/LC_MESSAGES/workbench.mo` holds the Chinese ones.

`use("zh")` chooses; until then every sentence is given back as it is. Needs neither Textual nor Babel.
"""

from __future__ import annotations

import gettext as _gettext
import os
from collections.abc import Mapping
from pathlib import Path

from curation.errors import Phrase, WorkbenchError
from curation.wording import filled
from screens.display import visible

DOMAIN = "workbench"
LANGUAGES = ("zh", "en")
FOLDER = Path(__file__).parent

_chosen: _gettext.NullTranslations = _gettext.NullTranslations()
_lang = "en"


def system_lang(environ: Mapping[str, str] | None = None) -> str:
    """The language that the environment asks for: `zh` for any Chinese one, else `en`."""
    env = os.environ if environ is None else environ
    wanted = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    return "zh" if wanted.casefold().startswith("zh") else "en"


def use(lang: str | None = None) -> str:
    """Speak `lang` from here on; None asks the environment. Anything else than `zh` is English. Returns the choice."""
    global _chosen, _lang
    _lang = "zh" if (lang or system_lang()).casefold().startswith("zh") else "en"
    if _lang == "en":
        _chosen = _gettext.NullTranslations()
    else:
        _chosen = _gettext.translation(DOMAIN, FOLDER, languages=[_lang])
    return _lang


def language() -> str:
    """The language in use, `zh` or `en`."""
    return _lang


class Words(str):
    """A sentence whose fields may count (see `curation.wording`)."""

    __slots__ = ()

    def format(self, *args: object, **params: object) -> str:
        """Filled in."""
        return str.format(self, *args, **params) if args else filled(self, params)


def gettext(message: str) -> str:
    """`message` in the language in use."""
    return Words(_chosen.gettext(message)) if message else ""


def ngettext(one: str, many: str, n: int) -> str:
    """`one` or `many`, as `n` asks, in the language in use."""
    return _chosen.ngettext(one, many, n)


_ = gettext


def told(template: str, params: Mapping[str, object] | None = None) -> str:
    """A template in the language in use, with its fields filled in. What fills them passes the display boundary.

    A field that is a Phrase is told in the same language.
    """
    fields = {name: _field(value) for name, value in (params or {}).items()}
    return filled(gettext(template), fields) if fields else gettext(template)


def _field(value: object) -> object:
    if isinstance(value, Phrase):
        return told(value.template, value.params)
    return value if isinstance(value, int | float) else visible(str(value), one_line=True)


def told_error(error: WorkbenchError) -> str:
    """What `error` says, in the language in use."""
    return told(error.template, error.params)
