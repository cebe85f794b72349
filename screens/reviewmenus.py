"""The review's decisions on one finding, and those that ask something first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from curation.graphemes import step, stride
from curation.work.review import Place
from screens import reviewwords as words
from screens.display import visible
from screens.locale import _, told
from screens.noting import Note
from screens.page import Choice
from screens.pick import type_choice
from screens.reviewmarks import Marking

_WRITE = "write"


class Menus(Marking):
    """The keys that decide."""

    # -- one finding

    def action_accept(self) -> None:
        """It is an identifier."""
        if self.seen_in_front():
            self.once(lambda: self._decide(True))

    def action_reject(self) -> None:
        """It is none."""
        if self.seen_in_front():
            self.once(lambda: self._decide(False))

    def _decide(self, accept: bool) -> None:
        place, hit, uid, number = self.place, self.hit, self.uid, self.look.here
        if not self.seen_in_front():
            return  # the key was held, and another finding has come in front meanwhile
        reviews = self.store.reviews
        if hit is not None:
            where = (hit.message, hit.start, hit.end)
            if not accept:
                self.action_waive()
            elif self.do(lambda: reviews.add(uid, self.person, *where, hit.type), _("Accepted."), then=where):
                self.tell(_("Accepted. {key} scans the output again").format(key=self.key("done")))
        elif place is not None:
            take = reviews.accept if accept else reviews.reject
            if self.do(lambda: take(uid, self.person, place), ""):
                said = _("{n} accepted") if accept else _("{n} rejected")
                self.to_open()
                self.tell(
                    said.format(n=number) + " · " + _("{key} undoes.").format(key=self.key("undo")) + self.whats_left()
                )

    def action_retype(self) -> None:
        """It is one of another type."""
        one = self.finding
        if self.seen_in_front() and one is not None:
            self.app.push_screen(type_choice(_("What is it?"), one.span.type), self._retyped)

    def _retyped(self, kind: str | None) -> None:
        place, uid = self.place, self.uid
        if kind is not None and place is not None:
            said = _("It is: {type}, accepted.").format(type=words.type_name(kind))
            if self.do(lambda: self.store.reviews.accept(uid, self.person, place, kind), said):
                self.to_open()
                self.tell(said)

    def action_resize(self, left: int, right: int) -> None:
        """The finding begins or ends elsewhere: by a sign (1), or by a whole number or word (2)."""
        place, uid = self.place, self.uid
        if not self.seen_in_front() or place is None or self.page is None:
            return
        message, start, end = place
        text = self.page.messages[message].text
        if left:
            start = (step if abs(left) == 1 else stride)(text, start, 1 if left > 0 else -1)
        if right:
            end = (step if abs(right) == 1 else stride)(text, end, 1 if right > 0 else -1)
        if (message, start, end) == place:
            self.tell(_("The message ends here"))
        elif start >= end:
            self.tell(_("Nothing would be left of it; {key} rejects it").format(key=self.key("reject")))
        else:
            there = (message, start, end)
            said = _("{text} · accepted so").format(text=visible(text[start:end], one_line=True))
            self.do(lambda: self.store.reviews.resize(uid, self.person, place, start, end), said, then=there)

    def action_undo(self) -> None:
        """The last step, wherever it was."""
        if not self.has_class("small") and self.look.caret is None and self.known:
            self.once(self._undo)

    def _undo(self) -> None:
        with self.asking():
            found = self.store.reviews.undo(self.person)
            if found is None:
                self.tell(_("Nothing to undo: you decided nothing yet"))
                return
            kind, uid = found
            self.look.hits = ()
            if uid and uid != self.uid:
                self.lay(uid)
            else:
                before = self._states()
                self.again()
                changed = [n for n, state in enumerate(self._states(), 1) if state not in before]
                if changed:  # what is open again comes in front
                    self.look.here = changed[0]
                    self.show()
                    self.bring()
            self.tell(told(words.UNDONE[kind]))

    def _states(self) -> list[tuple[object, ...]]:
        """Where each finding stands, as what, and what was decided on it."""
        found = self.page.findings if self.page is not None else ()
        return [(one.span.message, one.span.start, one.span.end, one.span.type, one.span.state) for one in found]

    def action_reveal(self) -> None:
        """Show what is masked in front, which is logged."""
        place, uid = self.place, self.uid
        if self.page is None or place is None:
            return
        if not self.look.masked or place in self.page.revealed:
            self.tell(_("Nothing is masked here"))
            return
        self.do(lambda: self.store.reviews.reveal(self.person, uid, *place), _("Shown to you; the log says so"))

    # -- equal values and lists

    def action_equal(self) -> None:
        """The same decision for all equal values: asks where, and what where nothing is decided."""
        one = self.finding
        if not self.seen_in_front() or one is None or self.page is None:
            return
        here = _("{n} in this dialogue").format(n=one.equal)
        found = self.elsewhere.get((self.uid, self.place or (0, 0, 0), one.text))
        there = _("{n} in {dialogues} {dialogues:dialogue|dialogues} of the project").format(
            n=found[0] if found else "?", dialogues=found[1] if found else "?"
        )
        accept, reject = _("accept all equal: {where}"), _("reject all equal: {where}")
        options = []
        if one.span.state != "rejected":
            options += [("here+", accept.format(where=here)), ("all+", accept.format(where=there))]
        if one.span.state != "accepted":
            options += [("here-", reject.format(where=here)), ("all-", reject.format(where=there))]
        title = _("All that reads {text}").format(text=visible(one.reading or one.text, one_line=True))
        self.app.push_screen(Choice(title, options), self._equal_chosen)

    def _equal_chosen(self, chosen: str | None) -> None:
        place, uid = self.place, self.uid
        if chosen is None or place is None:
            return
        done: list[tuple[int, int]] = []

        def decide() -> None:
            everywhere, accept = chosen.startswith("all"), chosen.endswith("+")
            done.append(self.store.reviews.decide_equal(uid, self.person, place, accept, everywhere=everywhere))

        if self.do(decide, "") and done:
            self.elsewhere.clear()
            self.to_open()
            undo = _("{key} undoes.").format(key=self.key("undo"))
            self.tell(
                _("Decided: {n} in {dialogues} {dialogues:dialogue|dialogues}.").format(
                    n=done[0][0], dialogues=done[0][1]
                )
                + " "
                + undo
            )

    def action_deny(self) -> None:
        """Always one in this project: asks first."""
        one = self.finding
        if self.seen_in_front() and one is not None:
            text = visible(one.text, one_line=True)
            always = _("always: {text} is found as {type} in every dialogue; approved ones that show it are open again")
            options = [
                (one.span.type, always.format(text=text, type=words.type_name(one.span.type))),
                ("", _("leave the list as it is")),
            ]
            self.app.push_screen(
                Choice(_("Put {text} on the project's list?").format(text=text), options), self._denied
            )

    def _denied(self, kind: str | None) -> None:
        place, uid = self.place, self.uid
        if not kind or place is None:
            return
        again: list[int] = []

        def deny() -> None:
            again.append(self.store.reviews.deny(uid, self.person, place, kind))
            self.store.reviews.decide_equal(uid, self.person, place, True)

        if self.do(deny, ""):
            said = _("On the list; accepted here. Approved dialogues open again: {n}.").format(n=again[0])
            self.to_open()
            self.tell(said)

    def action_allow(self) -> None:
        """Never one in this project: asks first."""
        one = self.finding
        if self.seen_in_front() and one is not None:
            text = visible(one.text, one_line=True)
            options = [
                ("allow", _("never: {text} is no longer found anywhere in this project").format(text=text)),
                ("", _("leave the list as it is")),
            ]
            self.app.push_screen(
                Choice(_("Put {text} on the project's list?").format(text=text), options), self._allowed
            )

    def _allowed(self, chosen: str | None) -> None:
        place, uid = self.place, self.uid
        if not chosen or place is None:
            return

        def allow() -> None:
            self.store.reviews.decide_equal(uid, self.person, place, False)
            self.store.reviews.allow(uid, self.person, place)

        if self.do(allow, ""):
            self.to_open()
            self.tell(_("On the list: no longer found; rejected here. {key} undoes.").format(key=self.key("undo")))

    # -- the whole dialogue

    def action_rest(self, accept: int) -> None:
        """All that waits is an identifier, or none of it is."""
        if self.ready():
            self.once(lambda: self._rest(bool(accept)))

    def _rest(self, accept: bool) -> None:
        if self.to_unread():
            self.tell(_("Not yet: {why}").format(why=words.of_missing(("unseen_turns",))))
            return
        self.flush()
        uid = self.uid
        count: list[int] = []
        if self.do(lambda: count.append(self.store.reviews.decide_rest(uid, self.person, accept)), ""):
            said = (
                _("Accepted: {n}. {key} says that it is done")
                if accept
                else _("Rejected: {n}. {key} says that it is done")
            )
            self.tell(said.format(n=count[0], key=self.key("done")))

    def action_waive(self) -> None:
        """What the output still shows may stay, for a reason."""
        if not self.ready():
            return
        if self.hit is None:
            self.tell(_("Nothing to let stand: {key} scans the output first").format(key=self.key("done")))
            return
        self._ask_why("waived", _("Why may it stay?"), words.WAIVE_REASONS, self._waived)

    def _ask_why(self, kind: str, title: str, known: Mapping[str, str], then: Callable[[str | None], None]) -> None:
        """Ask for a reason: one of those known, or written, which is kept at every key."""
        uid, raising = self.uid, self.store.raising

        def keep(text: str) -> None:
            with self.asking():
                raising.save_note(self.person, uid, kind, text)

        def written(text: str | None) -> None:
            if text:
                keep("")
                then(text)

        def chosen(code: str | None) -> None:
            if code != _WRITE:
                then(code)
                return
            with self.asking():
                begun = raising.note(self.person, uid, kind)
                self.app.push_screen(Note(title, "", begun, keep, pace=self.pace, needed=True), written)

        options = [
            *((code, told(template)) for code, template in known.items()),
            (_WRITE, _("another reason, in words")),
        ]
        self.app.push_screen(Choice(title, options), chosen)

    def _waived(self, reason: str | None) -> None:
        hit, uid = self.hit, self.uid
        if not reason or hit is None:
            return
        place: Place = (hit.message, hit.start, hit.end)
        left = tuple(h for h in self.look.hits if h is not hit)
        if self.do(lambda: self.store.reviews.waive(uid, self.person, place, hit.type, reason), ""):
            self.look.hits = left
            self.look.here = len(self.page.findings) + 1 if left and self.page else self.look.here
            self.show()
            self.tell(_("It may stay. {key} scans the output again").format(key=self.key("done")))

    def action_bar(self) -> None:
        """Not releasable, for a reason; or releasable after all."""
        if not self.ready() or self.page is None:
            return
        if self.page.barred_by:
            uid = self.uid
            self.do(lambda: self.store.reviews.unbar(uid, self.person), _("It may be released after all."))
            return
        self._ask_why("not_releasable", _("Why must it not be released?"), words.BAR_REASONS, self._barred)

    def _barred(self, reason: str | None) -> None:
        uid = self.uid
        if reason:
            said = _("Not releasable. {key} again takes that back").format(key=self.key("bar"))
            self.do(lambda: self.store.reviews.bar(uid, self.person, reason), said)
