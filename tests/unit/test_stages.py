"""The stage of a dialogue follows from facts alone."""

from __future__ import annotations

from itertools import product

import pytest

from curation.stages import Facts, Stage, Verdict, outcome_of, stage_of

IRONY, HINT, DROP = Verdict(True, "irony"), Verdict(True, "hint"), Verdict(False)


@pytest.mark.parametrize(
    ("facts", "stage"),
    [
        (Facts(), Stage.IMPORTED),
        (Facts(eligible=False), Stage.REJECTED),
        (Facts(eligible=True), Stage.CANDIDATE),
        (Facts(True, IRONY), Stage.CANDIDATE),
        (Facts(True, None, DROP), Stage.CANDIDATE),
        (Facts(True, IRONY, IRONY), Stage.AGREED),
        (Facts(True, IRONY, HINT), Stage.DISPUTED),
        (Facts(True, IRONY, DROP), Stage.DISPUTED),
        (Facts(True, DROP, IRONY), Stage.DISPUTED),
        (Facts(True, DROP, DROP), Stage.DROPPED),
        (Facts(True, Verdict(False, "irony"), Verdict(False, "hint")), Stage.DROPPED),
        (Facts(True, IRONY, HINT, IRONY), Stage.AGREED),
        (Facts(True, IRONY, DROP, DROP), Stage.DROPPED),
        (Facts(True, IRONY, IRONY, DROP), Stage.DROPPED),
        (Facts(True, IRONY, IRONY, approved=True), Stage.APPROVED),
        (Facts(True, IRONY, IRONY, approved=True, released=True), Stage.RELEASED),
        (Facts(True, IRONY, IRONY, released=True), Stage.AGREED),
        (Facts(True, IRONY, HINT, HINT, approved=True), Stage.APPROVED),
        (Facts(True, IRONY, HINT, approved=True), Stage.DISPUTED),
        (Facts(True, DROP, DROP, approved=True, released=True), Stage.DROPPED),
        (Facts(False, IRONY, IRONY), Stage.AGREED),
        (Facts(False, IRONY), Stage.REJECTED),
        (Facts(True, IRONY, IRONY, approved=True, released=True, withdrawn=True), Stage.WITHDRAWN),
        (Facts(True, IRONY, IRONY, sent_back=True), Stage.DISPUTED),
        (Facts(True, IRONY, HINT, IRONY, approved=True, sent_back=True), Stage.DISPUTED),
        (Facts(True, None, None, IRONY, sent_back=True), Stage.DISPUTED),
        (Facts(True, IRONY, IRONY, withdrawn=True, sent_back=True), Stage.WITHDRAWN),
    ],
)
def test_facts_amount_to_a_stage(facts: Facts, stage: Stage) -> None:
    assert stage_of(facts) is stage


VERDICTS = (None, IRONY, HINT, DROP)
FLAGS = (False, True)
EVERY = [Facts(*f) for f in product((None, False, True), VERDICTS, VERDICTS, VERDICTS, FLAGS, FLAGS, FLAGS, FLAGS)]


def test_only_complete_agreement_or_a_ruling_is_kept() -> None:
    kept = {Stage.AGREED, Stage.APPROVED, Stage.RELEASED}
    for facts in EVERY:
        if stage_of(facts) in kept:
            both = facts.first is not None and facts.first == facts.second and facts.first.keep
            assert both or (facts.ruling is not None and facts.ruling.keep)
            assert outcome_of(facts) is not None


def test_what_was_sent_back_has_no_outcome_until_it_is_decided_anew() -> None:
    for facts in EVERY:
        if facts.sent_back:
            assert outcome_of(facts) is None
            assert stage_of(facts) in (Stage.DISPUTED, Stage.IMPORTED, Stage.WITHDRAWN)


def test_swapping_a_and_b_changes_no_stage() -> None:
    for facts in EVERY:
        swapped = Facts(
            facts.eligible,
            facts.second,
            facts.first,
            facts.ruling,
            facts.approved,
            facts.released,
            facts.withdrawn,
            facts.sent_back,
        )
        assert stage_of(swapped) is stage_of(facts)


def test_one_persons_answer_alone_shows_in_no_stage() -> None:
    """What the other of the pair could see of it would break the blind."""
    for answer in (IRONY, HINT, DROP):
        assert stage_of(Facts(True, answer)) is stage_of(Facts(True, None, answer)) is stage_of(Facts(True))


def test_released_needs_an_approval_that_stands() -> None:
    for facts in EVERY:
        if stage_of(facts) is Stage.RELEASED:
            assert facts.approved
            assert facts.released
        if stage_of(facts) is Stage.APPROVED:
            assert not facts.released


def test_agreeing_is_mutual() -> None:
    for one, other in product((IRONY, HINT, DROP, Verdict(False, "irony")), repeat=2):
        assert one.agrees(other) == other.agrees(one)
