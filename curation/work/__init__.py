"""What crosses from the store to whoever shows it: plain rows, reports and tasks, an area a module.

All frozen, none knows its table. What several areas need stands here; the rest is imported from the area's own module.
"""

from __future__ import annotations

from curation.work.core import (
    Answer,
    ApprovalReport,
    CandidateReport,
    DialectTag,
    DialectWord,
    Draft,
    FinalMessage,
    ImportReport,
    LogLine,
    Pair,
    Person,
    Problem,
    Progress,
    QualityReport,
    Source,
    Status,
    StoredDialogue,
    Task,
    Terms,
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
