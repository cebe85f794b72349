"""A box for one field that an expert writes by hand. It tells what was typed from what was pasted."""

from __future__ import annotations

from textual import events

from screens.keys import MOST_AT_ONCE, TOO_CLOSE
from screens.widgets.rationale import Rationale

# An input method commits a phrase or a sentence at once, of Chinese characters; more at once, or Latin letters in a row,
# come from a clipboard.
MOST_COMMITTED = 24


class Writing(Rationale):
    """`pasted` once something was pasted since the box was filled. Enter does not type here, except in a paste."""

    def __init__(self, ident: str) -> None:
        super().__init__(ident)
        self.pasted = False
        self._run = ""
        self._last = float("-inf")

    def put(self, text: str) -> None:
        """Fill the box anew: what stands there was not pasted now."""
        self.pasted = False
        self._run = ""
        super().put(text)

    async def take(self, event: events.Key) -> bool:
        """Type a key into the box. False when it is no key that types."""
        # The time at which the key was read, not that at which it is looked at: saving comes between two keys.
        close = event.time - self._last < TOO_CLOSE
        self._last = event.time
        character = "\n" if event.key == "enter" else event.character or ""
        self._run = self._run + character if close else character
        if event.key == "enter" and not (close and len(self._run) > 1):
            return False
        if looks_pasted(self._run):
            self.pasted = True
        return await super().take(event)

    async def _on_paste(self, event: events.Paste) -> None:
        """What is pasted stays as it is, and is marked."""
        if event.text.strip():
            self.pasted = True
        await super()._on_paste(event)


def looks_pasted(run: str) -> bool:
    """Whether characters that came at once are a paste rather than what an input method committed."""
    latin = sum(c.isascii() and not c.isspace() for c in run)
    return len(run) > MOST_COMMITTED or latin > MOST_AT_ONCE or ("\n" in run.strip("\n"))
