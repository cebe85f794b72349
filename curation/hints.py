"""What a dialogue's file says of it besides its text: the situation it was labelled with elsewhere, and its day.

Used to hand work out and to forecast, never shown to who decides: a label seen is a label agreed with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curation.errors import WorkbenchError
from curation.model import Dialogue
from curation.taxonomy import taxonomy

# Keys under which files carry a label, the most exact first.
_KEYS = ("situation", "second_level_scenario_en", "second_level_scenario", "scenario_en", "scenario", "label")


def hint_of(metadata: Mapping[str, Any]) -> str:
    """The situation (its id) that a dialogue came labelled with, "" for none that is known.

    A label may be a path of names (`Implied meaning - Irony/Sarcasm`): its last part counts.
    """
    for key in _KEYS:
        value = metadata.get(key)
        if not isinstance(value, str) or not value.strip():
            continue
        for name in (value, value.rpartition(" - ")[2], value.rpartition("-")[2]):
            try:
                return taxonomy().parse(name).id
            except WorkbenchError:
                continue
    return ""


def day_of(dialogue: Dialogue) -> str:
    """When the dialogue began: the time of its first message that has one, as it is written there; "" without any."""
    return next((message.time for message in dialogue.messages if message.time), "")
