"""What crosses from the store to whoever shows it: plain rows, reports and tasks, an area a module.

All frozen, none knows its table. What several areas need stands here; the rest is imported from the area's own module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curation.work.core import Answer, Draft, Leave, Pair, Person, Progress, Source, StoredDialogue, Task, Terms

if TYPE_CHECKING:
    from curation.work.told import (
        ApprovalReport,
        CandidateReport,
        DialectTag,
        DialectWord,
        FinalMessage,
        ImportReport,
        LogLine,
        Problem,
        QualityReport,
        Status,
        TextEdit,
        TextMessage,
        TextPage,
    )

__all__ = [
    "Answer",
    "ApprovalReport",
    "CandidateReport",
    "DialectTag",
    "DialectWord",
    "Draft",
    "FinalMessage",
    "ImportReport",
    "Leave",
    "LogLine",
    "Pair",
    "Person",
    "Problem",
    "Progress",
    "QualityReport",
    "Source",
    "Status",
    "StoredDialogue",
    "Task",
    "Terms",
    "TextEdit",
    "TextMessage",
    "TextPage",
]


def __getattr__(name: str) -> Any:
    """The rows that no first screen needs, made when one of them is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from curation.work import told

    return getattr(told, name)
