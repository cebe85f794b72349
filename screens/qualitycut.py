"""Cutting on the quality screen: the head by keys, turns and runs dropped and taken in again, a proposal, and the rules."""

from __future__ import annotations

from itertools import pairwise

from textual import on
from textual.message import Message

from curation.trim import PROBLEMS
from curation.work.quality import Cut
from screens.locale import _, told
from screens.qualitybase import WHOLE, QualityBase


class Cutting(QualityBase):
    """The keys of a cut. What is made is kept at every key, and counts when it is decided."""

    def action_move(self, by: int) -> None:
        """Another message."""
        if self.in_front() and self.page is not None:
            self.look.cursor = max(0, min(self.look.cursor + by, len(self.page.messages) - 1))
            self.moved()

    def action_edge(self, side: int) -> None:
        """The first message, or the last."""
        self.action_move(side * 1_000_000)

    def action_choose(self) -> None:
        """Several turns from here on, until they are dropped or taken in; or no more."""
        if self.in_front() and (message := self.message) is not None:
            self.look.chosen = 0 if self.look.chosen else message.turn
            self.moved()
            if self.look.chosen:
                self.tell(
                    _("Several turns, from turn {n}: move, then {drop}").format(
                        n=self.look.chosen, drop=self.key("drop")
                    )
                )

    def action_drop(self) -> None:
        """Drop the turn in front, or the chosen ones; take them in again when they are out already."""
        if not self.in_front() or (message := self.message) is None:
            return
        low, high = sorted((self.look.chosen or message.turn, message.turn))
        turns = range(low, high + 1)
        out = not all(not self.cut.keeps(turn) for turn in turns)
        self.changing(lambda: self._make(dict.fromkeys(turns, not out)))

    def action_head(self) -> None:
        """Begin with the turn in front."""
        if self.in_front() and (message := self.message) is not None:
            self.changing(lambda: self._begin_with(message.turn))

    def action_shift_head(self, by: int) -> None:
        """Begin one turn later, or earlier."""
        if self.in_front() and self.page is not None:
            last = max(m.turn for m in self.page.messages)
            first = max(1, min(self._first() + by, last))
            self.changing(lambda: self._begin_with(first, follow=True))

    def _first(self) -> int:
        assert self.page is not None
        return min((m.turn for m in self.page.messages if m.turn and self.cut.keeps(m.turn)), default=1)

    def _begin_with(self, turn: int, *, follow: bool = False) -> None:
        cut = Cut(turn, tuple(n for n in self.cut.removed if n > turn))
        if self._allowed(cut):
            self._keep(cut)
            if follow and self.page is not None:
                self.look.cursor = next(m.index for m in self.page.messages if m.turn == turn)
            self.moved()

    def _make(self, stays: dict[int, bool]) -> None:
        """The cut with some turns dropped or taken in."""
        assert self.page is not None
        last = max(m.turn for m in self.page.messages)
        kept = [n for n in range(1, last + 1) if stays.get(n, self.cut.keeps(n))]
        if last not in kept:
            self._refuse("last_turn_cut")
            return
        first = kept[0]
        cut = Cut(first, tuple(n for n in range(first, last + 1) if n not in kept))
        if self._allowed(cut):
            self.look.chosen = 0
            self._keep(cut)
            self.moved()
            self._say_joined(cut)

    def _say_joined(self, cut: Cut) -> None:
        """Turns of one speaker that a cut brings together read as one."""
        assert self.page is not None
        speakers = {m.turn: m.speaker for m in self.page.messages if m.turn}
        kept = [n for n in sorted(speakers) if cut.keeps(n)]
        joined = [(a, b) for a, b in pairwise(kept) if speakers[a] == speakers[b]]
        if joined:
            self.tell(_("Turns {a} and {b} are by one speaker: they read and count as one turn").format(
                a=joined[-1][0], b=joined[-1][1]
            ))  # fmt: skip

    def _allowed(self, cut: Cut) -> bool:
        assert self.page is not None
        problems = self.store.control.problems(self.page, cut)
        if problems:
            self._refuse(problems[0])
        return not problems

    def _refuse(self, code: str) -> None:
        words = told(PROBLEMS[code])
        if code == "too_few_turns":
            words += f" ({self.store.settings.min_turns})"
        self.tell(_("Not so: {why}").format(why=words))

    def _keep(self, cut: Cut) -> None:
        assert self.page is not None
        uid = self.page.stored.uid
        draft = None if cut == self.page.cut else cut
        if self.tried(lambda: self.store.control.keep_draft(self.person, uid, draft)):
            self.draft = draft

    # -- proposals

    class Ready(Message):
        """The words that proposals go by are read; a cut of this dialogue was asked for."""

        def __init__(self, uid: str) -> None:
            super().__init__()
            self.uid = uid

    def action_propose(self) -> None:
        """A cut as it is proposed, with a score for every turn that stays."""
        if self.in_front():
            self.changing(self._when_ready)

    def _when_ready(self) -> None:
        """Propose at once, or as soon as the list of words is read, which takes seconds the first time."""
        from curation.trim.words import is_ready, ready

        if is_ready():
            self._propose()
            return

        uid = self.page.stored.uid if self.page is not None else ""

        def read() -> None:
            ready()
            self.post_message(self.Ready(uid))

        self.tell(_("Reading the list of words for proposals…"))
        self.run_worker(read, thread=True, group="words", exclusive=True)

    @on(Ready)
    def _words_ready(self, message: Ready) -> None:
        # Whoever went on to another dialogue meanwhile asked for no cut of that one.
        if self.in_front() and self.page is not None and self.page.stored.uid == message.uid:
            self._propose()

    def action_limit(self, by: int) -> None:
        """Propose with more turns, or with fewer."""
        if self.in_front():
            self.most = max(self.store.settings.min_turns, self.most + by)
            self.changing(self._when_ready)

    def _propose(self) -> None:
        assert self.page is not None
        with self.asking():
            proposal = self.store.control.proposal(self.page, self.most)
            if not proposal.changes:
                self.tell(
                    _("It has {n} {n:turn|turns}, and up to {most} may stay: nothing has to go").format(
                        n=proposal.turns_before, most=self.most
                    )
                )
                return
            self.proposal = proposal
            self.look.scores = proposal.scores
            self._keep(Cut(proposal.first_turn, proposal.removed_turns))
            self.look.cursor = next(m.index for m in self.page.messages if m.turn == proposal.first_turn)
            self.moved()
            self.tell(
                _("Proposed: {before} > {after} turns (at most {most}; {more} {fewer} change that); {enter} decides").format(
                    before=proposal.turns_before, after=proposal.turns_after, most=self.most,
                    more=self.key("more"), fewer=self.key("fewer"), enter=self.key("next_matter"),
                )
            )  # fmt: skip

    # -- deciding

    def decide_cut(self) -> None:
        """The cut in the making counts."""
        if self.page is None or self.draft is None:
            return
        uid, cut, proposal = self.page.stored.uid, self.draft, self.proposal
        as_proposed = (
            proposal if proposal is not None and (proposal.first_turn, proposal.removed_turns) == _pair(cut) else None
        )
        self.do(
            lambda: self.store.control.decide(uid, self.person, cut, as_proposed),
            _("The cut is decided. {undo} undoes.").format(undo=self.key("undo")),
        )

    def action_forget(self) -> None:
        """Forget the choice of turns, else the cut in the making."""
        if self.look.chosen:
            self.look.chosen = 0
            self.moved()
        elif self.draft is not None and self.page is not None:
            self._keep(self.page.cut)
            self.proposal, self.look.scores = None, {}
            self.moved()
            self.tell(_("Forgotten: the cut is what was decided before"))

    def action_whole(self) -> None:
        """Take the decided cut back: every turn stays."""
        if not self.in_front() or self.page is None:
            return
        if not self.page.decided:
            self.tell(_("No cut is decided here"))
            return
        uid = self.page.stored.uid
        words = _("The cut is taken back: every turn stays. {undo} undoes.").format(undo=self.key("undo"))
        self.changing(lambda: self.done(self.do(lambda: self.store.control.decide(uid, self.person, WHOLE), words)))


def _pair(cut: Cut) -> tuple[int, tuple[int, ...]]:
    return cut.first_turn, cut.removed
