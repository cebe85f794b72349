"""On the text screen no character is lost, whatever the width and with a scroll bar beside it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.tui.test_text import app_on, begin, laid, screen

LINES = tuple(chr(0x4E00 + n * 53) * 75 + "，。：；" * 6 for n in range(6))


@pytest.mark.parametrize("width", [80, 81, 109, 110, 111, 120, 121])
async def test_every_character_is_on_some_line(tmp_path: Path, width: int) -> None:
    app = app_on(laid(tmp_path / "p.wb", LINES))
    async with app.run_test(size=(width, 24)) as pilot:
        await begin(pilot)
        rows = screen(app).view
        assert rows.virtual_size.height > 16, "there is a scroll bar"
        seen: Counter[str] = Counter()
        for top in range(rows.virtual_size.height):
            rows.scroll_to(y=top, animate=False, immediate=True)
            seen.update(rows.render_line(top - rows.scroll_offset.y).text)
        for text in LINES:
            assert seen[text[0]] % 75 == 0
            assert seen[text[0]] >= 75
