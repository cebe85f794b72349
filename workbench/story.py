"""The story of a text in sentences: what was cut, what was changed in each message, by whom, when and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curation.errors import N_
from curation.normalise import RULES
from curation.rewriting import REASONS as REWRITINGS
from curation.trim import REASONS as TRIMS
from curation.work.story import Approval, Change, CutStory, MessageStory, Story
from workbench.labels import label
from workbench.words import gettext, safe, sentence

_NOT_STANDING = {
    "edit": N_("taken back by {who}, {when}"),
    "rule": N_("its rule was taken back here by {who}, {when}"),
    "project": N_("its rule is off in this project"),
    "misfit": N_("no longer fits: the text below is another one now"),
    "undone": N_("taken back by {who}, {when}"),
}
_INDENT = "      "
GONE = "×"  # before a message that the cut takes out


def told(story: Story) -> Iterator[str]:
    """The lines of it, each safe to print."""
    for one in story.cuts:
        yield from _cut(one)
    for message in story.messages:
        yield from _message(message)
    for step in story.approvals:
        yield _approval(step)


def _when(at: str) -> str:
    return at[:16].replace("T", " ")


def _cut(one: CutStory) -> Iterator[str]:
    words: str
    if one.first_turn == 1 and not one.removed:
        words = sentence(
            N_("cut taken back by {who}, {when}: every turn stays"), {"who": one.by, "when": _when(one.at)}
        )
    else:
        words = sentence(
            N_("cut by {who}, {when}: begins with turn {first}, {before} turns become {after}"),
            {"who": one.by, "when": _when(one.at), "first": one.first_turn, "before": one.before, "after": one.after},
        )
        words += "; " + sentence(N_("{sign} marks what is cut away"), {"sign": GONE})
        if one.removed:
            words += "; " + sentence(N_("turns {turns} taken out"), {"turns": runs(one.removed)})
        if one.proposed:
            words += "; " + gettext(N_("as proposed"))
    if not one.stands:
        words += " – " + (
            sentence(_NOT_STANDING["undone"], {"who": one.ended_by, "when": _when(one.ended_at)})
            if one.ended_by
            else gettext(N_("a later one took its place"))
        )
    yield words
    if one.stands:
        reasons: dict[str, list[int]] = {}
        for turn, (reason, _) in sorted(one.why.items()):
            reasons.setdefault(reason, []).append(turn)
        for reason, turns in reasons.items():
            scores = [one.why[turn][1] for turn in turns]
            yield _INDENT + sentence(
                N_("turns {turns} stay: {why} ({score})"),
                {
                    "turns": runs(turns),
                    "why": gettext(TRIMS[reason]) if reason in TRIMS else reason,
                    "score": "–".join(dict.fromkeys(f"{score:.2f}" for score in (min(scores), max(scores)))),
                },
            )


def runs(numbers: Sequence[int]) -> str:
    """Numbers in words, neighbours as runs: `3, 5-8`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1] = [parts[-1][0], number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


def _message(one: MessageStory) -> Iterator[str]:
    head = f"{'' if one.kept else GONE:<1}{one.index + 1:>4}  {safe(one.speaker)}"
    yield head + ": " + (safe(one.raw) or f"({gettext(N_('empty message'))})")
    for change in one.changes:
        yield _INDENT + _change(change)
    if one.kept and one.now != one.raw:
        yield _INDENT + "= " + (safe(one.now) or f"({gettext(N_('empty message'))})")


def _change(one: Change) -> str:
    params = {
        "before": safe(one.before),
        "after": safe(one.after) or gettext(N_("(nothing)")),
        "why": _why(one),
        "who": one.by,
        "when": _when(one.at),
    }
    if one.stands == "rejected":
        return sentence(N_("{why} “{before}”: said to be none by {who}, {when}"), params)
    if one.layer == "scrubbed" and one.before == one.after:
        return sentence(N_("{why} “{before}”: left as it is, by {who}, {when}"), params)
    templates = {
        "scrubbed": N_("identifier out ({why}): {before} > {after} – {who}, {when}"),
        "normalised": N_("normalised ({why}): {before} > {after} – {who}, {when}"),
        "edited": N_("rewritten ({why}): {before} > {after} – {who}, {when}"),
    }
    words = sentence(templates[one.layer], params)
    if one.layer == "edited":
        words += "; " + sentence(N_("{share} of the message changed"), {"share": f"{one.share:.0%}"})
    if one.signed_by:
        words += "; " + sentence(N_("signed by {who}"), {"who": one.signed_by})
    if one.stands:
        words += " – ! " + sentence(_NOT_STANDING[one.stands], {"who": one.ended_by, "when": _when(one.ended_at)})
    return words


def _why(one: Change) -> str:
    if one.layer == "edited":
        return gettext(REWRITINGS[one.rule]) if one.rule in REWRITINGS else safe(one.rule)
    if one.layer == "normalised":
        from screens.names import rule

        return rule(one.rule) if all(name in RULES for name in one.rule.split("+")) else safe(one.rule)
    from screens.reviewwords import type_name

    return type_name(one.rule)


def _approval(one: Approval) -> str:
    params = {"who": one.by, "when": _when(one.at), "note": safe(one.note), "what": label(one.kind)}
    words = (
        sentence(N_("sent back to screening by {who}, {when}: {note}"), params)
        if one.kind == "sent_back"
        else sentence(N_("approved by {who}, {when}"), params)
    )
    return words if one.stands else words + " – " + gettext(N_("counts no more"))
