"""Filling in templates. A template may say what stands for one and what for more: `{n} {n:line|lines} below`."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any


class _Counting(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        one, bar, more = format_spec.partition("|")
        if bar:
            return one if str(value) == "1" else more
        return super().format_field(value, format_spec)


_COUNTING = _Counting()


def filled(template: str, params: Mapping[str, object]) -> str:
    """`template` with its named fields filled in; of `{name:one|more}` what fits the number of that name."""
    return _COUNTING.vformat(template, (), params) if "|" in template else str.format(template, **params)
