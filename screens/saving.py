"""A screen on which every key is saved at once: what saving says, and what it says when it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from curation.errors import N_, RefusedStep, WorkbenchError
from screens.base import WorkScreen
from screens.locale import _, told_error


class SavingScreen(WorkScreen):
    """Shows when something was saved last, and loudly when it was not."""

    _saved_at = ""
    _unsaved = False

    def saved_words(self) -> str:
        """When it was saved, for the header."""
        if self._unsaved:
            return _("NOT SAVED")
        return _("saved {time}").format(time=self._saved_at) if self._saved_at else ""

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Ask the store; what it refuses is shown, and everything stays where it is."""
        try:
            yield
        except RefusedStep as error:
            self.tell(told_error(error))
        except WorkbenchError as error:
            self.fail(error)

    def tried(self, save: Callable[[], object]) -> bool:
        """Save something; a failure is loud, and everything stays on the screen. Returns whether it went well.

        `save` may return False: there was nothing to save.
        """
        try:
            changed = save()
        except RefusedStep as error:
            # Nothing is amiss with the file: the store says why this is not done.
            self.tell(told_error(error))
            return False
        except Exception as error:
            # Whatever the store's trouble is – a full disk, a file gone – what was typed must not go with it.
            self._unsaved = True
            if isinstance(error, WorkbenchError):
                self.fail(error)
            else:
                self.fail(
                    WorkbenchError(
                        N_("the project file could not be written ({kind}); nothing on the screen is lost, try again"),
                        kind=type(error).__name__,
                    )
                )
            return False
        if changed is False:
            return True
        self._unsaved = False
        self._saved_at = datetime.now(UTC).astimezone().strftime("%H:%M:%S")
        return True
