"""The situations to choose from: a line a family, each with its digit and its letter."""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from curation.taxonomy import Family, taxonomy
from screens.lines import fitted, fold
from screens.locale import language


class Situations(Widget):
    """Shows families and situations. `pending` is the family whose digit was pressed, `chosen` the situation's id."""

    DEFAULT_CSS = """
    Situations { height: 4; width: 1fr; }
    """

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident)
        self.pending = 0
        self.chosen = ""
        self.second = ""

    def put(self, chosen: str, pending: int, second: str = "") -> None:
        """Mark another choice, and a second one."""
        if (chosen, pending, second) != (self.chosen, self.pending, self.second):
            self.chosen, self.pending, self.second = chosen, pending, second
            self.refresh()

    def render(self) -> Content:
        """The lines; one that is too long for the width gives up its gaps, a word that all share, then its letters."""
        families = taxonomy().families
        if self.size.height < len(families):
            wanted = self.pending or next((s.family.number for s in taxonomy().situations if s.id == self.chosen), 0)
            shown = [f for f in families if f.number == wanted] or [*families]
            if len(shown) > 1:
                return Content(fitted("  ".join(f"{f.number} {_name(f)}" for f in shown), self.size.width))
            return self._line(shown[0])
        lines = [self._line(family) for family in families]
        return Content("\n").join([*lines, *self._meaning(self.size.height - len(lines))])

    def _meaning(self, room: int) -> list[Content]:
        """What the chosen situation means, where there is room to say it."""
        chosen = next((s for s in taxonomy().situations if s.id == self.chosen), None)
        if chosen is None or room < 1:
            return []
        words = f"{chosen.name(language())}: {chosen.definition(language())}"
        return [Content(f"    {line}") for line in fold(words, max(self.size.width - 8, 20))[:room]]

    def _line(self, family: Family) -> Content:
        ids = [s.id for s in taxonomy().of_family(family)]
        chosen, second = (ident if ident in ids else "" for ident in (self.chosen, self.second))
        return _laid(family, self.size.width, language(), family.number == self.pending, chosen, second)


@lru_cache(maxsize=256)  # with a choice one or two of the lines become other ones
def _laid(family: Family, width: int, lang: str, pending: bool, chosen: str, second: str) -> Content:
    """The line of one family. `chosen` and `second` are ids of situations in it, "" where they are not."""
    parts: list[Content] = []
    members = taxonomy().of_family(family)
    names = {s.id: s.name(lang) for s in members}
    for gap, letters, whole in (("  ", True, True), (" ", True, True), (" ", True, False), (" ", False, True)):
        shown = names if whole else _without_last_word(names)
        mark = ">" if pending else " "
        head = f"{mark}{family.number} {_name(family)}"
        rest = width - sum(len(gap) + cell_len(name) + 3 for name in shown.values())
        if not letters and rest < cell_len(head):
            head = fitted(head.rstrip(), max(rest, 3))
        parts = [Content.styled(head, "bold" if mark == ">" else "")]
        length = cell_len(head)
        for situation in members:
            on = situation.id == chosen
            name = shown[situation.id]
            left, right = ("[", "]") if on else ("(", ")") if situation.id == second else (" ", " ")
            words = f"{situation.place}{left}{name}{right}"
            words += situation.key if letters else ""
            parts.append(Content(gap) + Content.styled(words, "bold reverse" if on else ""))
            length += len(gap) + cell_len(words)
        if length <= width:
            break
    return Content("").join(parts)


def _without_last_word(names: dict[str, str]) -> dict[str, str]:
    """Names without the last word, where all of them share it: Value Test, Counter Test."""
    last = {name.rpartition(" ")[2] for name in names.values()}
    if len(last) != 1 or not all(" " in name for name in names.values()):
        return names
    return {ident: name.rpartition(" ")[0] for ident, name in names.items()}


def _name(family: Family) -> str:
    names = [_words(f) for f in taxonomy().families]
    return fitted(_words(family), max(cell_len(name) for name in names))


def _words(family: Family) -> str:
    return family.zh if language() == "zh" else family.en
