"""Screening in words, for `log`: what was decided, put off, raised, handed back, turned round, ruled and opened again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curation.errors import N_
from curation.work.screening import DROP_REASONS, OUTCOMES, RAISED_WORDS
from workbench.labels import label, situation
from workbench.words import gettext, safe, sentence

_MODES = {
    "independent": N_("independent"),
    "review": N_("review"),
    "relabel": N_("labelled anew"),
}
_SKIPS = {
    "unclear": N_("the situation is not clear"),
    "unreadable": N_("cannot be read"),
    "later": N_("later"),
    "other": N_("another reason"),
}


def facts(kind: str, body: Mapping[str, Any]) -> str | None:
    """What an event of screening says; None for an event that is none of those."""
    if kind in ("screened", "ruled") and "keep" in body:
        return _decided(kind, body)
    if kind == "skipped":
        return gettext(_SKIPS.get(str(body.get("reason")), N_("another reason")))
    if kind == "raised":
        return gettext(RAISED_WORDS.get(str(body.get("kind")), str(body.get("kind"))))
    if kind == "resolved":
        return gettext(OUTCOMES.get(str(body.get("outcome")), str(body.get("outcome"))))
    if kind == "handed_back":
        return _handed_back(str(body.get("dialect", "")))
    if kind == "swapped":
        return _swapped(str(body.get("code", "")))
    if kind == "reopened":
        words = sentence(
            N_("{count} {count:dialogue|dialogues}, to be decided anew"), {"count": body.get("entries", 0)}
        )
        return f"{words}; {_versions(body)}"
    if kind == "undone" and isinstance(body.get("event"), list):
        origin, number = body["event"]
        words = f"{origin}:{number} {label(str(body.get('kind', '')))}"
        if left := body.get("left"):
            words += "; " + sentence(N_("but for {count} whose originals were destroyed"), {"count": left})
        return words
    return None


def _decided(kind: str, body: Mapping[str, Any]) -> str:
    parts = [gettext(N_("keep")) if body["keep"] else gettext(N_("drop"))]
    parts += [situation(str(body["situation"]))] if body.get("situation") else []
    if body.get("second"):
        parts.append(sentence(N_("second choice {name}"), {"name": situation(str(body["second"]))}))
    if body.get("reason"):
        parts.append(gettext(DROP_REASONS.get(str(body["reason"]), str(body["reason"]))))
    if kind == "screened":
        anew = body.get("round") == 2
        parts.append(
            gettext(N_("in the open, anew")) if anew else sentence(N_("as {slot}"), {"slot": body.get("slot")})
        )
        mode = str(body.get("mode", ""))
        parts += [gettext(_MODES[mode])] if mode in _MODES and mode != "independent" else []
        parts.append(_versions(body))
        if body.get("via"):
            parts.append(sentence(N_("brought by {name}"), {"name": body["via"]}))
        if body.get("active"):
            seconds = {"active": round(body["active"] / 1000), "idle": round(body.get("idle", 0) / 1000)}
            parts.append(sentence(N_("{active} s at it, {idle} s idle"), seconds))
    return "; ".join(parts)


def _versions(body: Mapping[str, Any]) -> str:
    names = {"taxonomy": safe(body.get("taxonomy", "")), "guidelines": safe(body.get("guidelines", "-"))}
    return sentence(N_("taxonomy {taxonomy}, guidelines {guidelines}"), names)


def _handed_back(tag: str) -> str:
    from screens.names import dialect

    cannot = gettext(N_("cannot read the dialect"))
    return f"{cannot}: {dialect(tag)}" if tag else cannot


def _swapped(code: str) -> str:
    from curation.candidates import RULE_CODES

    if not code:
        return gettext(N_("still a candidate"))
    return sentence(N_("rejected: {code}, {reason}"), {"code": code, "reason": gettext(RULE_CODES.get(code, code))})
