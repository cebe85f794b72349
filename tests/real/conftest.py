"""Where the real data stands."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `shared` beside the project's checkout; the test is skipped where it is not."""
    folder = Path(__file__).resolve().parents[3] / "shared"
    if not folder.is_dir():
        pytest.skip(f"the real data is not here: no folder {folder}")
    return folder
