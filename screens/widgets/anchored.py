"""A dialogue whose last lines stay in sight when its room changes."""

from __future__ import annotations

from screens.widgets.dialogue import DialogueView


class AnchoredDialogue(DialogueView):
    """Whoever was reading at the end is at the end still after the view has become lower or higher."""

    _height = 0

    def on_resize(self) -> None:
        """Fold anew, and stay at the end where that was in sight."""
        at_end = self._height > 0 and len(self._lines) - self.scroll_offset.y <= self._height
        super().on_resize()
        self._height = self.scrollable_content_region.height
        if at_end:
            self.scroll_to(y=max(len(self._lines) - self._height, 0), animate=False, immediate=True)
