"""What text the command line may print to whom: a curator sees it as it is, everyone else with identifiers masked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from db.project import Project

Span = tuple[int, int, int, str]


def sees_all(project: Project, viewer: str) -> bool:
    """Whether `viewer` is a curator of the project, and has not left it."""
    return project.people.curates(viewer)


def masked(message: int, text: str, spans: Iterable[Span]) -> str:
    """The raw `text` of a message with its spans of (message, start, end, type) covered by the names of their types."""
    from curation.identifiers import Finding
    from curation.identifiers.masks import mask

    found = [Finding(m, s, e, kind, text[s:e], 1.0, "") for m, s, e, kind in spans if m == message]
    return mask(text, found)
