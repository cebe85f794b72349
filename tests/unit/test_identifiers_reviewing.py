"""Steps on findings: spans stay disjoint, and nothing that was covered comes to light by accident."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from curation.identifiers.finding import Finding
from curation.identifiers.reviewing import REST_RULE, Mark, Shown, joined, resized, settled, shown, written

LENGTH = 14
SPANS = st.tuples(st.integers(0, 1), st.integers(0, LENGTH - 1), st.integers(1, 6)).map(
    lambda t: (t[0], t[1], min(t[1] + t[2], LENGTH))
)


def disjoint(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    kept: list[tuple[int, int, int]] = []
    for span in sorted(spans):
        if not kept or kept[-1][0] != span[0] or kept[-1][2] <= span[1]:
            kept.append(span)
    return kept


DECIDED = st.lists(SPANS, max_size=5).flatmap(
    lambda spans: st.tuples(
        *(
            st.tuples(st.just(s), st.booleans(), st.sampled_from(["PERSON", "PHONE"])).map(
                lambda t: Mark(*t[0], t[2], t[1])
            )
            for s in disjoint(spans)
        )
    )
)
PROPOSED = st.lists(SPANS, max_size=5).map(
    lambda spans: tuple(Finding(*s, "QQ", "x", 0.6, "qq") for s in disjoint(spans))
)


def covered(marks: list[Mark] | tuple[Mark, ...]) -> set[tuple[int, int]]:
    return {(m.message, at) for m in marks if m.accepted for at in range(m.start, m.end)}


def apply(decided: tuple[Mark, ...], marks: list[Mark]) -> tuple[Mark, ...]:
    """What the table does: a decision replaces all it overlaps."""
    result = list(decided)
    for new in written(decided, marks):
        result = [m for m in result if m.message != new.message or m.end <= new.start or new.end <= m.start]
        result.append(new)
    return tuple(sorted(result, key=lambda m: (m.message, m.start)))


@given(DECIDED, PROPOSED)
def test_what_is_shown_is_disjoint_and_holds_every_open_proposal(
    decided: tuple[Mark, ...], proposed: tuple[Finding, ...]
) -> None:
    spans = shown(decided, proposed)
    for one, two in pairwise(spans):
        assert (one.message, one.end) <= (two.message, two.start)
    for finding in proposed:
        inside = [
            s for s in spans if s.message == finding.message and s.start <= finding.start and finding.end <= s.end
        ]
        assert settled(decided, finding) or [s.state for s in inside] == ["open"]
    for mark in decided:
        if mark.accepted:
            assert any(
                s.message == mark.message and s.start <= mark.start and mark.end <= s.end and s.state != "rejected"
                for s in spans
            )


@given(DECIDED, PROPOSED, st.data())
def test_a_step_settles_what_it_is_about_and_uncovers_nothing_else(
    decided: tuple[Mark, ...], proposed: tuple[Finding, ...], data: st.DataObject
) -> None:
    spans = shown(decided, proposed)
    if not spans:
        return
    one = data.draw(st.sampled_from(spans))
    low, high = data.draw(st.integers(0, LENGTH)), data.draw(st.integers(0, LENGTH))
    step = data.draw(st.sampled_from(["accept", "reject", "resize"]))
    marks = [one.mark(step == "accept")] if step != "resize" else resized(spans, one, low, high)
    after = apply(decided, marks)
    for first, second in pairwise(after):
        assert (first.message, first.end) <= (second.message, second.start)
    assert not [
        s for s in shown(after, proposed) if s.state == "open" and (s.message, s.start, s.end) == place(one)
    ] or (not marks)
    own = {(one.message, at) for at in range(one.start, one.end)}
    assert covered(decided) - own <= covered(after), "what was accepted elsewhere stays so"
    if step == "accept":
        assert own <= covered(after)
    if step == "reject":
        assert not own & covered(after)


def place(one: Shown) -> tuple[int, int, int]:
    return one.message, one.start, one.end


def test_a_proposal_covered_piece_by_piece_is_settled() -> None:
    finding = Finding(0, 2, 8, "PHONE", "x", 0.9, "phone")
    assert settled([Mark(0, 2, 5, "PHONE", True), Mark(0, 5, 8, "PHONE", False)], finding)
    assert not settled([Mark(0, 2, 5, "PHONE", True), Mark(0, 6, 9, "PHONE", False)], finding)
    assert not settled([Mark(1, 2, 8, "PHONE", True)], finding)


def test_what_is_cut_off_a_finding_is_decided_and_not_shown() -> None:
    finding = Finding(0, 2, 8, "PHONE", "x", 0.9, "phone")
    spans = shown((), (finding,))
    after = apply((), resized(spans, spans[0], 2, 6))
    assert [(m.start, m.end, m.accepted, m.rule) for m in after] == [(2, 6, True, "person"), (6, 8, False, REST_RULE)]
    assert [(s.start, s.end, s.state) for s in shown(after, (finding,))] == [(2, 6, "accepted")]
    grown = apply(after, resized(shown(after, (finding,)), shown(after, (finding,))[0], 2, 7))
    assert [(m.start, m.end, m.accepted) for m in grown] == [(2, 7, True), (7, 8, False)]


def test_a_finding_that_reaches_another_takes_it_in_whole() -> None:
    spans = shown((Mark(0, 5, 9, "PERSON", True),), (Finding(0, 2, 5, "PHONE", "x", 0.9, "phone"),))
    assert [(m.start, m.end, m.accepted) for m in resized(spans, spans[0], 2, 6)] == [(2, 9, True)]
    assert joined(spans, 0, 4, 6) == (2, 9)


def test_accepting_what_overlaps_an_accepted_span_keeps_all_of_it_covered() -> None:
    decided = (Mark(0, 2, 6, "PERSON", True),)
    spans = shown(decided, (Finding(0, 4, 9, "ADDRESS", "x", 0.9, "address"),))
    assert [(s.start, s.end, s.state, s.type) for s in spans] == [(2, 9, "open", "ADDRESS")]
    assert covered(apply(decided, [spans[0].mark(True)])) == {(0, at) for at in range(2, 9)}
