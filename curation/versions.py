"""Versions that stand on decisions, apart from the data they are of, so that naming one reads nothing."""

from __future__ import annotations

# That of `data/guidelines.toml`; a test holds the two together.
GUIDELINES_VERSION = "2026.1"
