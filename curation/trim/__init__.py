"""Trimming: an overlong dialogue loses what its end can do without, never its last turn, and never falls under
the fewest turns.

A trim is `first_turn`, the turn it now begins with, and `removed`, turns taken out after it; turns are
numbered from 1 in the untrimmed dialogue. `propose` says what could stay and why; a person decides.
"""

from __future__ import annotations

from curation.trim.proposing import REASONS, TRIM_VERSION, Proposal, propose
from curation.trim.rules import PROBLEMS, counted, kept_messages, problems

__all__ = ["PROBLEMS", "REASONS", "TRIM_VERSION", "Proposal", "counted", "kept_messages", "problems", "propose"]
