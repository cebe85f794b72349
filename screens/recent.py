"""The projects opened lately, in a small JSON file of the user's own. Losing it loses nothing."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

MOST = 9


def state_file() -> Path:
    """Where the list is kept."""
    from platformdirs import user_state_path

    return user_state_path("dialogue-workbench", appauthor=False) / "recent.json"


def key_file() -> Path:
    """Where the key file is looked for."""
    from platformdirs import user_config_path

    return user_config_path("dialogue-workbench", appauthor=False) / "keys.toml"


def recent() -> list[Path]:
    """The projects opened lately, newest first; they may be missing by now."""
    try:
        rows = json.loads(state_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [Path(row) for row in rows if isinstance(row, str)][:MOST] if isinstance(rows, list) else []


def remember(path: Path) -> None:
    """Put a project first on the list. A list that cannot be written is no reason to stop anyone."""
    here = path.resolve()
    rows = [str(here), *(str(p) for p in recent() if p != here)][:MOST]
    with contextlib.suppress(OSError):
        state_file().parent.mkdir(parents=True, exist_ok=True)
        beside = state_file().with_suffix(".new")
        beside.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
        beside.replace(state_file())
