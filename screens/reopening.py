"""Asking before approved text is changed: any change opens it again."""

from __future__ import annotations

from collections.abc import Callable

from curation.stages import Stage
from curation.work import StoredDialogue
from screens.base import WorkScreen
from screens.locale import _
from screens.page import Choice

APPROVED = (Stage.APPROVED, Stage.RELEASED)


class Reopening:
    """Remembers for which dialogue a person said that it may be opened again."""

    def __init__(self, screen: WorkScreen) -> None:
        self._screen = screen
        self._uid = ""

    def forget(self) -> None:
        """Ask again next time."""
        self._uid = ""

    def before(self, stored: StoredDialogue, step: Callable[[], object], *, meanwhile: bool = False) -> None:
        """Do `step`, which changes the text of a dialogue; asks first where that is approved, `meanwhile` by others."""
        if stored.stage not in APPROVED or self._uid == stored.uid:
            step()
            return

        def chosen(answer: str | None) -> None:
            if answer:
                self._uid = stored.uid
                step()

        options = [
            ("yes", _("go on: it is open again and has to be approved anew")),
            ("", _("leave it as it is")),
        ]
        title = _("This dialogue was approved meanwhile.") if meanwhile else _("This dialogue is approved.")
        self._screen.app.push_screen(Choice(title, options), chosen)
