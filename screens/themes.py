"""The themes: dark, light, the terminal's own colours, and one without any."""

from __future__ import annotations

from textual.theme import Theme

MONO = "workbench-mono"
THEMES = ("textual-dark", "textual-light", "ansi-dark", MONO)


def mono() -> Theme:
    """No colour but the terminal's own two. What is said elsewhere by colour is said by word and style anyway."""
    plain = "ansi_default"
    return Theme(
        name=MONO,
        primary=plain,
        secondary=plain,
        warning=plain,
        error=plain,
        success=plain,
        accent=plain,
        foreground=plain,
        background=plain,
        surface=plain,
        panel=plain,
        boost=plain,
        dark=True,
        ansi=True,
        variables={
            "block-cursor-text-style": "reverse",
            "input-selection-background": plain,
            "border": plain,
            "border-blurred": plain,
            "ansi-background": plain,
            "ansi-foreground": plain,
        },
    )
