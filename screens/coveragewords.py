"""What the coverage of replies says: signs, states, and the page of one reply."""

from __future__ import annotations

from collections.abc import Sequence

from curation.errors import N_
from curation.replies import FLAGS, MENDED
from curation.work.asking import Covered, Reply, Words
from screens.display import visible
from screens.locale import _, told
from screens.names import flag

# One sign a state, told apart without colour.
SIGNS = {"ok": "·", "mended": "~", "flagged": "!", "missing": "-", "waived": "w"}
STATES = {
    "all": N_("all"),
    "missing": N_("absent"),
    "flagged": N_("flagged"),
    "mended": N_("mended"),
    "waived": N_("let pass"),
    "ok": N_("in order"),
}
PARTS = {
    "motivation": N_("Motivation"),
    "cause": N_("Cause"),
    "emotion": N_("Emotional attitude"),
    "intention": N_("Social intention"),
    "strategy": N_("Communicative strategy"),
}
MODES = {
    "cot": N_("with process"),
    "direct": N_("direct"),
}


def state(code: str) -> str:
    """A state in words."""
    return told(STATES[code])


def mode(code: str) -> str:
    """A mode in words."""
    if code in MODES:
        return told(MODES[code])
    part = code.partition("-")[2]
    return _("without {part}").format(part=told(PARTS[part])) if part in PARTS else visible(code, one_line=True)


def letter(code: str) -> str:
    """A mode as the head of a narrow column: C, D, and for an ablation the field that is left out."""
    return code.partition("-")[2][:1] or code[:1].upper()


def cell(found: str, flags: Sequence[str]) -> str:
    """What is the matter with one reply."""
    names = ", ".join(flag(one) for one in flags if one != "missing")
    return f"{state(found)}: {names}" if names else state(found)


def totals(found: Sequence[Covered]) -> str:
    """How far everything is, in one line."""
    return _("{complete} of {of} complete · {flagged} flagged · {missing} absent").format(
        complete=sum(one.complete for one in found),
        of=sum(one.of for one in found),
        flagged=sum(one.flagged for one in found),
        missing=sum(one.missing for one in found),
    )


def page(reply: Reply, limit: int, raw: str, before: Sequence[tuple[Words, str, str]], last: Sequence[str]) -> str:
    """Everything about one reply, to be read."""
    lines = [_("The other party said:"), *(f"    {text}" for text in last), ""]
    for name, text in reply.words.process.items():
        lines += [f"{told(PARTS[name])}:", f"    {text or _('(empty)')}"]
    lines += ["", _("Reply ({n} of {limit} characters):").format(n=reply.length, limit=limit)]
    lines += [f"    {reply.words.reply or _('(empty)')}", ""]
    lines += [f"! {flag(code)}: {told(FLAGS[code])}" for code in reply.flags if code in FLAGS]
    if reply.waiver is not None:
        lines.append(
            _("let pass by {by}: {flags} – {reason}").format(
                by=reply.waiver.by,
                flags=", ".join(flag(code) for code in reply.waiver.flags),
                reason=reply.waiver.reason,
            )
        )
    lines += [f"~ {told(MENDED[code])}" for code in reply.mended if code in MENDED]
    if raw:
        lines += ["", _("What the system wrote:"), raw]
    for words, person, at in before:
        lines += ["", _("Before, brought by {person} on {at}:").format(person=person, at=at[:10]), f"    {words.reply}"]
    return "\n".join(lines)
