"""What quality control says in words: what is open, the turn in front, the cut in the making, what to press."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from curation.checks import MATTERS, PART_WORDS, Part, part_of
from curation.stages import STAGE_WORDS, Stage
from curation.trim import REASONS, Proposal
from curation.work.quality import Counted, Cut, QualityPage
from screens.locale import _, told

Key = Callable[[str], str]  # the first key of an action, as it is shown
_STEPS = (Part.IDENTIFIERS, Part.TEXT, Part.LENGTH, Part.REWRITING, Part.APPROVAL)


def matter(code: str) -> str:
    """A reason in words."""
    return told(MATTERS[code][1]) if code in MATTERS else code


def of_steps(page: QualityPage, key: Key) -> str:
    """The parts in order, and which of them are open."""
    if page.stored.stage in (Stage.APPROVED, Stage.RELEASED):
        return told(STAGE_WORDS[page.stored.stage]) + " · " + _("a change opens it again")
    if page.matters is None:
        return _("looking what is open…")
    if not page.matters:
        return _("nothing is open: {key} approves").format(key=key("approve"))
    if page.matters == ("not_agreed",):
        return matter("not_agreed")
    open_ = {part_of(code) for code in page.matters}
    parts = [f"{told(PART_WORDS[p])} {'!' if p in open_ else 'ok'}" for p in _STEPS[:-1]]
    return " · ".join(parts) + " · " + matter(first(page.matters))


def first(matters: Sequence[str]) -> str:
    """The reason that comes first on the way to the approval."""
    order = list(MATTERS)
    return min(matters, key=lambda code: order.index(code) if code in order else len(order))


def of_turn(page: QualityPage, cut: Cut, cursor: int, proposal: Proposal | None) -> str:
    """The turn in front: whether it stays, and why a proposal says so."""
    if not page.messages:
        return ""
    turn = page.messages[cursor].turn
    words = (_("turn {n} stays") if cut.keeps(turn) else _("turn {n} goes")).format(n=turn)
    if turn == page.messages[-1].turn or turn == max(m.turn for m in page.messages):
        words += " · " + _("the last turn is never cut")
    elif proposal is not None and turn in proposal.reasons:
        reason = proposal.reasons[turn]
        words += " · " + _("proposed to stay: {reason} ({score})").format(
            reason=told(REASONS.get(reason, reason)), score=f"{proposal.scores[turn]:.2f}"
        )
    elif proposal is not None:
        words += " · " + _("proposed to go")
    return words


def of_cut(before: Counted, after: Counted, *, making: bool, key: Key) -> str:
    """Turns and characters before and after, and whether the cut is decided."""
    words = _("{turns} {turns:turn|turns}, {characters} {characters:character|characters}").format(
        turns=before.turns, characters=before.characters
    )
    if after != before:
        words = _("turns {before} > {after}, characters {was} > {now}").format(
            before=before.turns, after=after.turns, was=before.characters, now=after.characters
        )
    if making:
        words += " · " + _("not decided: {enter} decides, {forget} forgets").format(
            enter=key("next_matter"), forget=key("forget")
        )
    return words


def of_nothing(done: int, key: Key) -> str:
    """When no agreed dialogue waits; `done` are approved."""
    if done:
        return _(
            "All {n} {n:dialogue|dialogues} agreed on {n:is|are} approved.\n"
            "{list} lists them, {undo} undoes your last step, {home} goes back to the overview."
        ).format(n=done, list=key("list"), undo=key("undo"), home=key("home"))
    return _(
        "No dialogue is agreed on yet: screening comes first.\n"
        "{home} goes back to the overview, Enter there begins to screen."
    ).format(home=key("home"))
