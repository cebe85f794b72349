"""What the text screen says in words: the dialect, the edit in front, how far one is, what to press when it is empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from curation.normalise import RULES
from curation.work import DialectTag, TextEdit
from screens.display import visible
from screens.locale import _, told
from screens.names import dialect, rule

Key = Callable[[str], str]  # the first key of an action, as it is shown


def why(edit: TextEdit, *, short: bool = False) -> str:
    """Why an edit does not stand; "" when it does."""
    if not edit.why_not:
        return ""
    if short:
        return {"rule": _("rule taken back"), "project": _("rule off")}.get(edit.why_not, _("taken back"))
    words = {"rule": _("its rule is taken back in this dialogue"), "project": _("its rule is off in this project")}
    return words.get(edit.why_not, _("taken back"))


def of_dialect(tag: DialectTag | None, key: Key) -> str:
    """The dialect, who says so, and what to press."""
    if tag is None:
        return _("dialect: being looked for…")
    name = dialect(tag.tag)
    if not tag.by:
        return _("dialect: {name}, by its words ({sure} sure); {confirm} confirms, {change} changes").format(
            name=name, sure=f"{tag.confidence:.0%}", confirm=key("confirm"), change=key("dialect")
        )
    words = _("dialect: {name}, said {by}").format(name=name, by=tag.by)
    if tag.machine and tag.machine != tag.tag:
        words += "; " + _("by its words {name}").format(name=dialect(tag.machine))
    return words


def of_edit(number: int, edit: TextEdit) -> str:
    """The edit in front: rule, what became of what, and why."""
    rules = "; ".join(told(RULES[one]) if one in RULES else one for one in edit.rule.split("+"))
    change = f"{visible(edit.before, one_line=True)} > {visible(edit.after, one_line=True) or _('(nothing)')}"
    return f"{number} {rule(edit.rule)}: {change}  ({why(edit) or rules})"


def of_progress(here: int, edits: Sequence[TextEdit]) -> str:
    """How far one is among the edits."""
    if not edits:
        return ""
    gone = sum(bool(e.why_not) for e in edits)
    words = _("edit {here} of {count}, {gone} not standing") if gone else _("edit {here} of {count}")
    return words.format(here=here, count=len(edits), gone=gone)


def of_nothing(done: int, key: Key) -> str:
    """When no agreed dialogue waits; `done` are approved."""
    if done:
        return _(
            "All {n} {n:dialogue|dialogues} agreed on {n:is|are} approved; no text waits to be looked over.\n"
            "{undo} undoes your last step, {home} goes back to the overview."
        ).format(n=done, undo=key("undo"), home=key("home"))
    return _(
        "No dialogue is agreed on yet: screening comes first.\n"
        "{home} goes back to the overview, Enter there begins to screen."
    ).format(home=key("home"))


def of_barred(key: Key) -> str:
    """When one may not read this dialogue."""
    return _(
        "The identifiers of this dialogue are not reviewed yet, so only a curator may read its text.\n"
        "{next} goes to the next one; {home} goes back to the overview, where w says who is working."
    ).format(next=key("forward"), home=key("home"))
