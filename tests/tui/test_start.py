"""What the start does before the first screen, and what waits until that is painted."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tui.conftest import app_on

Make = Callable[..., Path]


@pytest.fixture
def no_collector() -> Iterator[None]:
    """As `open_interface` leaves it while the app is made."""
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


@pytest.mark.usefixtures("no_collector")
async def test_garbage_is_collected_again_once_the_first_screen_is_painted(make: Make) -> None:
    app = app_on(make(2))
    async with app.run_test() as pilot:
        await pilot.pause()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 10_000


async def test_an_app_that_did_not_start_without_the_collector_leaves_it_alone(make: Make) -> None:
    app = app_on(make(2))
    async with app.run_test() as pilot:
        await pilot.pause()
        assert gc.isenabled()
        assert gc.get_freeze_count() == 0
