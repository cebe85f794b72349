"""Makes `.docs/screening.png` from the demo project: a picture of a terminal, drawn from what the terminal shows.

    python .docs/picture.py PROJECT PERSON OUT.svg     # needs tmux; turn the SVG into a PNG with any renderer

Rich writes an SVG whose text lengths count characters, which squeezes Chinese to half its width; here they count cells.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
from html import unescape
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

COLUMNS, ROWS = 92, 27
KEYS = ("Enter", "End", "k", "1", "2", "r", "嘴上说替我喝了奶茶，其实是怪我一直迟到", "Escape")


def tmux(*words: str) -> str:
    """One tmux command on a server of our own."""
    return subprocess.run(["tmux", "-L", "picture", *words], check=True, capture_output=True, text=True).stdout


def main(project: str, person: str, out: str) -> None:
    """Open the project, press a few keys, and draw what is there."""
    command = (
        f"LANG=C.UTF-8 COLORTERM=truecolor {Path(sys.executable).parent}/workbench --lang zh --as {person} {project}"
    )
    tmux("-f", "/dev/null", "new-session", "-d", "-s", "p", "-x", str(COLUMNS), "-y", str(ROWS), command)
    try:
        tmux("set", "-g", "default-terminal", "tmux-256color")
        time.sleep(3)
        for key in KEYS:
            tmux("send-keys", "-t", "p", key)
            time.sleep(1)
        ansi = tmux("capture-pane", "-e", "-p", "-t", "p")
    finally:
        tmux("kill-server")
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in ansi.rstrip("\n").split("\n"):
        console.print(Text.from_ansi(line), soft_wrap=True)
    svg = console.export_svg(title="workbench")

    def widen(match: re.Match[str]) -> str:
        text = unescape(match[3]).replace("\xa0", " ")
        return f'{match[1]}textLength="{cell_len(text) * 12.2:g}"{match[2]}>{match[3]}</text>'

    svg = re.sub(r'(<text [^>]*?)textLength="[^"]*"([^>]*)>([^<]*)</text>', widen, svg)
    svg = svg.replace(
        "font-family: Fira Code, monospace", "font-family: 'Noto Sans Mono CJK SC', 'Fira Code', monospace"
    )
    Path(out).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
