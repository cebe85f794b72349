"""What the review says in words: a finding and why it was found, how far one is, what is in the way of being done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from curation.errors import N_
from curation.identifiers.quasi import KIND_WORDS, SECOND_LOOK
from curation.identifiers.reviewing import Shown
from curation.work.review import Hit, Reviewed, ReviewPage
from screens.display import visible
from screens.locale import _, told

Key = Callable[[str], str]  # the first key of an action, as it is shown

TYPE_NAMES = {
    "PHONE": N_("phone"),
    "ID_NUMBER": N_("document"),
    "BANK_CARD": N_("bank card"),
    "PLATE": N_("plate"),
    "WECHAT": N_("WeChat"),
    "QQ": N_("QQ"),
    "HANDLE": N_("account"),
    "EMAIL": N_("e-mail"),
    "URL": N_("link"),
    "GEO": N_("place on the map"),
    "TRACKING": N_("parcel or order"),
    "SECRET": N_("passcode"),
    "PERSON": N_("person"),
    "ADDRESS": N_("address"),
    "ORG": N_("school or employer"),
    "BIRTHDATE": N_("birthday"),
}
STATE_NAMES = {"open": N_("undecided"), "accepted": N_("accepted"), "rejected": N_("no identifier")}
SIGNS = {"open": "?", "accepted": "+", "rejected": "-"}

WAIVE_REASONS = {
    "public": N_("a public person, brand or place"),
    "ours": N_("it is our own replacement, or reads like one"),
    "none": N_("it is no identifier"),
    "sense": N_("it points at nobody, and the dialogue needs it"),
}
BAR_REASONS = {
    "story": N_("the story itself tells who it is"),
    "sensitive": N_("health, sexuality, belief or a crime"),
    "minor": N_("one of them seems to be a minor"),
    "third": N_("it is mostly about somebody else"),
    "request": N_("somebody asked to leave it out"),
}

MISSING = {
    "not_scanned": N_("identifiers could not be looked for"),
    "undecided_findings": N_("something is undecided"),
    "unseen_turns": N_("turns are unread"),
    "not_reviewed": N_("nobody has said yet that the review is done"),
    "same_person": N_("you made this review; somebody else has to sign it"),
    "identifiers_left": N_("the output still shows something"),
    "approved": N_("it is approved already"),
    "not_agreed": N_("the two have not agreed to keep it"),
    "purged": N_("its originals were destroyed; nothing can be decided any more"),
    "changed_meanwhile": N_("someone changed it meanwhile"),
}

UNDONE = {
    "finding": N_("Undone: the decision is taken back"),
    "waived": N_("Undone: it may not stay any more"),
    "not_releasable": N_("Undone: it may be released"),
    "releasable": N_("Undone: it must not be released, as before"),
    "listed": N_("Undone: the list is as it was before"),
    "lists_given": N_("Undone: the list is as it was before"),
    "review_done": N_("Undone: the review is not done"),
    "review_signed": N_("Undone: it is not signed"),
}


def type_name(kind: str) -> str:
    """What a type is called; one of another version as it is."""
    return told(TYPE_NAMES[kind]) if kind in TYPE_NAMES else visible(kind, one_line=True)


def reason_words(reason: str, known: Mapping[str, str]) -> str:
    """A reason that was chosen in words, one that was written as it is."""
    return told(known[reason]) if reason in known else visible(reason, one_line=True)


def of_rule(rule: str) -> str:
    """What a rule found."""
    from curation.identifiers.reasons import words_of

    words = words_of(rule)
    return told(words) if words else visible(rule, one_line=True)


def of_finding(number: int, count: int, one: Reviewed) -> str:
    """The finding in front: its place, type, state and why it was found."""
    span = one.span
    parts = [
        f"{number}/{count} {type_name(span.type)}",
        told(STATE_NAMES[span.state]),
        _("{sure} sure").format(sure=f"{span.score:.0%}"),
        of_rule(span.rule),
    ]
    if one.reading:
        parts.append(_("reads {text}").format(text=visible(one.reading, one_line=True)))
    return " · ".join(parts)


def of_masked(number: int, count: int, one: Reviewed, key: Key) -> str:
    """The finding in front for someone who does not see what it covers."""
    span = one.span
    state = told(STATE_NAMES[span.state])
    words = _("{number}/{count} {type} · {state} · masked for you: {key} shows it, which is logged")
    return words.format(number=number, count=count, type=type_name(span.type), state=state, key=key("reveal"))


def of_links(page: ReviewPage, one: Reviewed, elsewhere: tuple[int, int] | None) -> str:
    """What replaces it, which word or message says what it is, and where else the value stands."""
    parts = [_replaced(one)]
    if one.cue is not None:
        message, start, end = one.cue
        said = page.messages[message]
        words = visible(said.text[start:end], one_line=True)
        here = message == one.span.message
        parts.append(
            _("said here: {words}").format(words=words)
            if here
            else _("said in turn {turn}: {words}").format(turn=said.turn, words=words)
        )
    if one.pieces:
        turns = dict.fromkeys(page.messages[page.findings[n].span.message].turn for n in one.pieces)
        parts.append(
            _("a value in {n} pieces, turns {turns}").format(n=len(one.pieces), turns=_(", ").join(map(str, turns)))
        )
    if one.equal > 1:
        parts.append(_("{n} equal here").format(n=one.equal))
    if elsewhere is not None and elsewhere[1] > 1:
        parts.append(
            _("{n} in {dialogues} {dialogues:dialogue|dialogues}").format(n=elsewhere[0], dialogues=elsewhere[1])
        )
    return " · ".join(filter(None, parts))


def _replaced(one: Reviewed) -> str:
    if one.span.state == "rejected":
        return _("stays as it is")
    if one.replacement is None:
        return _("stays, by the policy")
    text = visible(one.replacement, one_line=True) or _("(nothing)")
    return _("becomes {text}").format(text=text)


def of_hit(number: int, count: int, hit: Hit, key: Key) -> str:
    """What the output still shows, in front."""
    return _(
        "{number}/{count} the output still shows {text} ({type}): {accept} replaces it, {waive} lets it stand"
    ).format(
        number=number,
        count=count,
        text=visible(hit.text, one_line=True),
        type=type_name(hit.type),
        accept=key("accept"),
        waive=key("waive"),
    )


def of_standing(page: ReviewPage, person: str, unread: Sequence[int], key: Key) -> str:
    """How far the review of this dialogue is."""
    if not page.scanned:
        return _("identifiers are being looked for…")
    parts = []
    if page.failure:
        parts.append(_("identifiers could not be looked for ({code})").format(code=page.failure))
    if page.barred_by:
        parts.append(
            _("NOT RELEASABLE, says {by}: {why}").format(by=page.barred_by, why=reason_words(page.barred, BAR_REASONS))
        )
    if page.signed_by:
        parts.append(_("done by {by}, signed by {other}").format(by=page.done_by, other=page.signed_by))
    elif page.done_by:
        parts.append(_("done by {by}").format(by=page.done_by))
        if page.sign_off:
            parts.append(_("a second person signs with {key}").format(key=key("sign")))
    parts.append(_("undecided: {n}").format(n=len(page.open)))
    if unread:
        parts.append(_("unread turns: {n}, from {first}").format(n=len(unread), first=unread[0]))
    else:
        parts.append(_("all {n} {n:turn|turns} read").format(n=len(page.turns)))
    if len(page.quasi) >= SECOND_LOOK:
        kinds = _(", ").join(told(KIND_WORDS[kind]) for kind in page.quasi)
        parts.append(_("{n} kinds together, read it closely: {kinds}").format(n=len(page.quasi), kinds=kinds))
    others = sorted({name for names in page.seen.values() for name in names} - {person})
    if others:
        parts.append(_("read also by {names}").format(names=_(", ").join(others)))
    return " · ".join(parts)


def of_missing(missing: Sequence[str]) -> str:
    """What is in the way of being done."""
    return _("; ").join(told(MISSING[code]) if code in MISSING else code for code in missing)


def of_nothing(key: Key) -> str:
    """When no dialogue is agreed on."""
    return _(
        "No agreed dialogue waits for its identifiers to be reviewed.\n"
        "{undo} undoes your last step, {home} goes back to the overview."
    ).format(undo=key("undo"), home=key("home"))


def of_nobody(person: str, key: Key) -> str:
    """When whoever works here is no one of the project."""
    return _(
        "{name} is no one of this project, so nothing is shown.\n{home} goes back to the overview, where w says who is working."
    ).format(name=person, home=key("home"))


def sign(number: int, span: Shown, *, here: bool) -> str:
    """What stands before a finding in the text: number, type and state."""
    return "{" + ("*" if here else "") + f"{number}{type_name(span.type)}{SIGNS[span.state]}"
