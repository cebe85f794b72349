"""The review of identifiers: steps that can be taken back, what ends it, what opens it again, and who saw what."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.errors import BadInput, NotFound, RefusedStep, UsageError
from curation.settings import Settings
from curation.stages import Stage
from curation.work.review import Place, ReviewPage
from db.project import Project
from tests.conftest import (
    Make,
    Repeating,
    Ticking,
    agree,
    bring,
    codes,
    dialogue,
    fresh,
    projected_rows,
    refusal,
    staff,
)

TEXTS = [
    "在吗",
    "你说",
    "电话13812345678和139 8765 4321",
    "我叫王小明 你叫我小明就行",
    "我的QQ是12345678",
    "行，王小明",
]
OTHER = ["吃饭没", "没呢哥", "那出来吧，打138-1234-5678", "不去，下雨了啊烦", "那就叫王小明去呗，他有空", "算了"]
QUIET = ["今天好冷啊", "是啊冷死我了", "多穿一点吧", "穿了三件还是冷", "那就别出门了", "好吧听你的"]


def made(study: Project, *more: list[str]) -> Project:
    """A project with these dialogues d1, d2, … agreed on and looked through."""
    staff(study, 1, TEXTS)
    bring(study, [dialogue(f"d{n}", texts) for n, texts in enumerate(more, 2)])
    study.assigning.assign("curator")
    agree(study, [uid(study, f"d{n}") for n in range(1, len(more) + 2)])
    study.people.add("lin", "curator", "curator")
    for one in study.dialogues.at(Stage.AGREED):
        study.reviews.look(one.uid)
    return study


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project that most tests begin with, made once."""
    path = tmp_path_factory.mktemp("whole") / "study.workbench"
    with Project.create(path, clock=Ticking(), entropy=Repeating()) as study:
        made(study, OTHER, QUIET)
    return path


@pytest.fixture
def study(whole: Path, tmp_path: Path) -> Iterator[Project]:
    path = tmp_path / whole.name
    shutil.copy(whole, path)
    path.chmod(0o600)
    with Project.open(path) as study:
        yield study


def uid(study: Project, name: str = "d1") -> str:
    return study.dialogues.find(name).uid


def page(study: Project, name: str = "d1", viewer: str = "curator") -> ReviewPage:
    return study.reviews.page(uid(study, name), viewer)


def places(study: Project, name: str = "d1") -> dict[str, Place]:
    """Where each finding stands, by its text."""
    return {f.text: (f.span.message, f.span.start, f.span.end) for f in page(study, name).findings}


def states(study: Project, name: str = "d1") -> dict[str, str]:
    return {f.text: f.span.state for f in page(study, name).findings}


def read(study: Project, person: str = "curator", name: str = "d1") -> None:
    study.reviews.see(uid(study, name), person, page(study, name).turns)


def finished(study: Project, name: str = "d1", person: str = "curator") -> None:
    """Everything read and accepted, and the review said to be done."""
    read(study, person, name)
    study.reviews.decide_rest(uid(study, name), person, True)
    assert study.reviews.finish(uid(study, name), person).done


# -- what is shown


def test_a_page_says_of_each_finding_why_how_it_reads_and_what_replaces_it(study: Project) -> None:
    found = {f.text: f for f in page(study).findings}
    phone = found["139 8765 4321"]
    assert (phone.reading, phone.replacement) == ("13987654321", "[电话2]")
    assert phone.cue == (2, 0, 2), "the word 电话 in the same message"
    assert found["王小明"].equal == 2
    assert found["王小明"].replacement not in (None, "", "王小明")
    previews = [m.preview for m in page(study).messages]
    assert previews[2] == "电话[电话1]和[电话2]"
    assert previews[4] == "我的QQ是[QQ1]"


def test_the_preview_follows_each_decision(study: Project) -> None:
    study.reviews.reject(uid(study), "curator", places(study)["13812345678"])
    assert page(study).messages[2].preview == "电话13812345678和[电话1]"


def test_a_value_in_pieces_is_one_value(project: Make) -> None:
    study = made(project(), ["电话发我", "分两条发", "1381234", "好，收到前半了", "5678", "嗯嗯"])
    found = [f for f in page(study, "d2").findings if f.pieces]
    assert [f.text for f in found] == ["1381234", "5678"]
    assert {f.reading for f in found} == {"13812345678"}


def test_nothing_is_detected_for_a_page(project: Make) -> None:
    study = project()
    agree(study, staff(study, 1, TEXTS))
    assert not page(study).scanned
    assert page(study).findings == ()
    study.reviews.look(uid(study))
    assert page(study).scanned


# -- steps and taking back


def test_each_step_is_an_event_and_undo_takes_it_back(study: Project) -> None:
    before = projected_rows(study)["finding"]
    here = places(study)
    steps: list[Callable[[], object]] = [
        lambda: study.reviews.accept(uid(study), "curator", here["12345678"]),
        lambda: study.reviews.reject(uid(study), "curator", here["13812345678"]),
        lambda: study.reviews.accept(uid(study), "curator", here["王小明"], "ORG"),
        lambda: study.reviews.resize(uid(study), "curator", here["139 8765 4321"], 13, 26),
        lambda: study.reviews.add(uid(study), "curator", 0, 0, 1, "PERSON"),
    ]
    for step in steps:
        step()
        assert study.check() == []
    assert states(study)["12345678"] == "accepted"
    assert states(study)["13812345678"] == "rejected"
    for _ in steps:
        assert study.reviews.undo("curator") == ("finding", uid(study))
    assert study.reviews.undo("curator") is None
    assert projected_rows(study)["finding"] == before
    assert study.check() == []


def test_undo_takes_back_ones_own_steps_alone(study: Project) -> None:
    study.reviews.accept(uid(study), "lin", places(study)["12345678"])
    assert study.reviews.undo("curator") is None
    assert study.reviews.undo("lin") == ("finding", uid(study))


def test_a_finding_that_shrank_leaves_nothing_undecided(study: Project) -> None:
    message, start, end = places(study)["13812345678"]
    assert study.reviews.resize(uid(study), "curator", (message, start, end), start, end - 1) == (
        message,
        start,
        end - 1,
    )
    assert states(study)["1381234567"] == "accepted"
    assert "13812345678" not in {f.text for f in study.findings.undecided(study.dialogues.key(uid(study)))}
    assert refusal(lambda: study.reviews.resize(uid(study), "curator", (message, start, end - 1), 5, 5)) == "empty_span"
    study.reviews.resize(uid(study), "curator", (message, start, end - 1), start, end)
    assert states(study)["13812345678"] == "accepted"


def test_a_span_that_touches_findings_takes_them_in(study: Project) -> None:
    assert study.reviews.add(uid(study), "curator", 2, 12, 15, "PHONE") == (2, 2, 27)
    assert states(study)["13812345678和139 8765 4321"] == "accepted"


@pytest.mark.parametrize("place", [(0, 0, 1), (9, 0, 1), (2, 2, 12), (2, -1, 3)])
def test_a_finding_that_is_not_there_is_refused(study: Project, place: Place) -> None:
    assert refusal(lambda: study.reviews.accept(uid(study), "curator", place)) == "no_finding"
    with pytest.raises(UsageError):
        study.reviews.accept(uid(study), "curator", place, "NAME")


@pytest.mark.parametrize("step", ["accept", "reject", "decide_rest", "bar", "allow", "finish", "sign"])
def test_deciding_is_a_curators_step(study: Project, step: str) -> None:
    here = places(study)["12345678"]
    more: dict[str, tuple[Any, ...]] = {"decide_rest": (True,), "bar": ("x",), "finish": (), "sign": ()}
    call = getattr(study.reviews, step)
    assert refusal(lambda: call(uid(study), "ann", *more.get(step, (here,)))) == "not_a_curator"


# -- equal values


def test_equal_values_of_a_dialogue_are_decided_together_however_written(study: Project) -> None:
    study.reviews.decide_equal(uid(study), "curator", places(study)["王小明"], True)
    assert [f.span.state for f in page(study).findings if f.text == "王小明"] == ["accepted", "accepted"]
    assert states(study, "d2")["王小明"] == "open"


def test_equal_values_of_the_project_are_one_event_and_one_undo(study: Project) -> None:
    here = places(study)["13812345678"]
    assert study.reviews.equal_in_project(uid(study), here) == (2, 2)
    assert study.reviews.decide_equal(uid(study), "curator", here, True, everywhere=True) == (2, 2)
    assert states(study, "d2")["138-1234-5678"] == "accepted"
    assert study.reviews.undo("curator") == ("finding", uid(study))
    assert states(study, "d2")["138-1234-5678"] == "open"
    assert states(study)["13812345678"] == "open"
    assert study.check() == []


def test_a_marked_value_is_taken_in_where_nobody_found_it(study: Project) -> None:
    place = study.reviews.add(uid(study), "curator", 3, 9, 11, "PERSON")
    assert TEXTS[3][9:11] == "小明"
    assert study.reviews.decide_equal(uid(study), "curator", place, True) == (0, 0), "王小明 is another finding"
    study.reviews.reject(uid(study), "curator", places(study)["12345678"])
    place = study.reviews.add(uid(study, "d2"), "curator", 0, 0, 2, "HANDLE")
    bring(study, [dialogue("d9", [*QUIET[:2], "我吃饭先走啦", *QUIET[3:]])])
    assert study.reviews.decide_equal(uid(study, "d2"), "curator", place, True, everywhere=True) == (0, 0)
    study.assigning.assign("curator")
    agree(study, [uid(study, "d9")])
    assert study.reviews.decide_equal(uid(study, "d2"), "curator", place, True, everywhere=True) == (1, 1)
    study.reviews.look(uid(study, "d9"))
    assert states(study, "d9") == {"吃饭": "accepted"}


# -- lists


def test_what_is_allowed_is_proposed_no_more_and_comes_back_with_an_undo(study: Project) -> None:
    study.reviews.allow(uid(study), "curator", places(study)["王小明"])
    assert not page(study).scanned, "what was found without the list is not shown any more"
    for name in ("d1", "d2"):
        study.reviews.look(uid(study, name))
        assert "王小明" not in states(study, name)
    assert study.reviews.undo("curator") == ("listed", uid(study))
    study.reviews.look(uid(study))
    assert "王小明" in states(study)
    assert study.check() == []


def test_what_is_denied_is_found_everywhere_and_opens_what_was_approved(study: Project) -> None:
    assert study.quality.approve("curator", ["d3"]).approved == 1
    assert study.reviews.deny(uid(study, "d2"), "curator", (3, 3, 5), "PERSON") == 0, "no approved text shows it"
    study.reviews.undo("curator")
    assert study.reviews.deny(uid(study, "d3"), "curator", (0, 2, 4), "HANDLE") == 1
    assert study.dialogues.find("d3").stage is Stage.AGREED
    study.reviews.look(uid(study, "d3"))
    assert states(study, "d3")[QUIET[0][2:4]] == "open"
    assert study.quality.approve("curator", ["d3"]).open == {"undecided_findings": 1}
    study.reviews.undo("curator")
    assert study.dialogues.find("d3").stage is Stage.APPROVED
    assert codes(study) == set()


def test_lists_of_a_file_replace_those_of_the_file_before(study: Project) -> None:
    first = '[[recogniser]]\nname = "cold"\ntype = "HANDLE"\npattern = "三件"\nscore = 0.9\n'
    assert study.reviews.give_lists("curator", first) == {"allow": 0, "deny": 0, "recognisers": 1}
    study.reviews.look(uid(study, "d3"))
    assert states(study, "d3") == {"三件": "open"}
    assert study.reviews.give_lists("curator", 'allow = ["王小明"]') == {"allow": 1, "deny": 0, "recognisers": 0}
    study.reviews.look(uid(study, "d3"))
    assert states(study, "d3") == {}
    with pytest.raises(BadInput):
        study.reviews.give_lists("curator", "allow = 3")
    assert study.reviews.undo("curator") == ("lists_given", uid(study))
    assert study.findings.lists.counts()["recognisers"] == 1
    assert study.check() == []


def test_a_purge_takes_the_values_of_its_dialogue_and_leaves_the_file(study: Project) -> None:
    study.reviews.give_lists("curator", 'allow = ["春风"]')
    study.reviews.look(uid(study))
    finished(study)
    study.reviews.deny(uid(study), "curator", places(study)["王小明"], "PERSON")
    study.reviews.waive(uid(study), "curator", (0, 0, 2), "PERSON", "王小明说的")
    study.reviews.look(uid(study))
    assert study.quality.approve("curator", ["d1"]).approved == 1
    study.purging.purge(study.purging.plan([uid(study)]), "curator")
    assert study.findings.lists.counts() == {"allow": 1, "deny": 0, "recognisers": 0}
    after = page(study)
    assert (after.findings, [w.reason for w in after.waivers]) == ((), ["…"])
    assert refusal(lambda: study.reviews.accept(uid(study), "curator", (2, 2, 13))) == "purged"
    assert study.check() == []


def test_no_value_of_a_list_stands_in_an_event(study: Project) -> None:
    study.reviews.allow(uid(study), "curator", places(study)["王小明"])
    bodies = study._db.execute("SELECT body FROM event").fetchall()
    assert not [body for (body,) in bodies if "王小明" in body]


def test_lists_need_a_dialogue_to_be_kept_with(project: Make) -> None:
    assert refusal(lambda: project().reviews.give_lists("curator", 'allow = ["x"]')) == "no_dialogues"


# -- reading, ending, signing


def test_a_review_is_done_when_all_is_read_decided_and_clean(study: Project) -> None:
    outcome = study.reviews.finish(uid(study), "curator")
    assert outcome.missing == ("undecided_findings", "unseen_turns")
    assert outcome.unseen == (1, 2, 3, 4, 5, 6)
    assert refusal(lambda: study.reviews.decide_rest(uid(study), "curator", True)) == "unseen_turns"
    study.reviews.see(uid(study), "curator", [1, 2, 3, 99])
    assert page(study).unseen("curator") == (4, 5, 6)
    read(study)
    assert study.reviews.decide_rest(uid(study), "curator", True) == 6
    assert study.reviews.finish(uid(study), "curator").done
    assert study.reviews.done(uid(study))
    assert page(study).done_by == "curator"
    assert study.check() == []


def test_reading_the_same_turns_again_says_nothing(study: Project) -> None:
    read(study)
    before = study.log.head()
    read(study)
    assert study.log.head() == before


@pytest.mark.parametrize("change", ["decide", "undo", "rewrite"])
def test_a_changed_finding_or_text_ends_the_review(study: Project, change: str) -> None:
    finished(study)
    if change == "decide":
        study.findings.decide(uid(study), "curator", 0, 0, 1, "PERSON", True)
    elif change == "undo":
        ref = next(line.ref for line in study.history.lines("curator") if line.kind == "finding")
        study.history.undo(ref, "curator")
    else:
        study.rewriting.rewrite(uid(study), "curator", 0, "在不在", "readable")
    assert not study.reviews.done(uid(study))
    assert study.check() == []


def test_normalising_does_not_end_the_review(study: Project) -> None:
    finished(study)
    study.quality.normalise("curator")
    assert study.reviews.done(uid(study))


def test_the_second_person_signs_what_somebody_else_reviewed(project: Make) -> None:
    study = made(project(settings=Settings(sign_off=True)))
    finished(study)
    assert study.quality.approve("curator", ["d1"]).open == {"not_signed_off": 1}
    assert study.reviews.sign(uid(study), "curator").missing == ("same_person",)
    assert study.reviews.sign(uid(study), "lin").missing == ("unseen_turns",)
    read(study, "lin")
    assert study.reviews.sign(uid(study), "lin").done
    assert page(study).signed_by == "lin"
    assert study.quality.approve("curator", ["d1"]).approved == 1
    study.findings.decide(uid(study), "curator", 0, 0, 1, "PERSON", True)
    assert page(study).signed_by == ""
    assert study.check() == []


def test_nobody_signs_what_was_not_reviewed(study: Project) -> None:
    read(study, "lin")
    assert "not_reviewed" in study.reviews.sign(uid(study), "lin").missing


def test_not_releasable_keeps_from_approval_until_it_is_taken_off(study: Project) -> None:
    assert study.quality.approve("curator", ["d3"]).approved == 1
    study.reviews.bar(uid(study, "d3"), "lin", "太私密")
    assert study.dialogues.find("d3").stage is Stage.AGREED
    assert (page(study, "d3").barred, page(study, "d3").barred_by) == ("太私密", "lin")
    assert study.quality.approve("curator", ["d3"]).open == {"not_releasable": 1}
    study.reviews.unbar(uid(study, "d3"), "curator")
    assert study.quality.approve("curator", ["d3"]).approved == 1
    assert refusal(lambda: study.reviews.unbar(uid(study, "d3"), "curator")) == "not_barred"
    assert refusal(lambda: study.reviews.bar(uid(study, "d3"), "lin", "  ")) == "no_reason"
    assert study.check() == []


def test_what_the_output_still_shows_is_accepted_or_waived_with_a_reason(study: Project) -> None:
    name, key = uid(study, "d3"), study.dialogues.key(uid(study, "d3"))
    study.rewriting.rewrite(name, "curator", 1, "是啊，我叫王小明", "readable", allow=True)
    read(study, name="d3")
    outcome = study.reviews.finish(name, "curator")
    assert outcome.missing == ("identifiers_left",)
    assert [(h.message, h.text) for h in outcome.hits] == [(1, "王小明")]
    hit = outcome.hits[0]
    assert "identifiers_left" in study.quality.approve("curator", ["d3"]).dialogues["d3"]
    study.reviews.waive(name, "curator", (hit.message, hit.start, hit.end), hit.type, "书里的人")
    assert [w.reason for w in page(study, "d3").waivers] == ["书里的人"]
    assert study.reviews.finish(name, "curator").done
    assert "identifiers_left" not in study.quality.open_on(study.quality.sheet(key))
    assert study.reviews.undo("curator") == ("review_done", name)
    assert study.reviews.undo("curator") == ("waived", name)
    assert study.reviews.finish(name, "curator").missing == ("identifiers_left",)
    assert study.check() == []


# -- revealing


def test_revealing_is_logged_and_stays_with_the_one_who_asked(study: Project) -> None:
    place = places(study)["12345678"]
    assert study.reviews.reveal("ann", uid(study), *place) == "12345678"
    assert page(study, viewer="ann").revealed == (place,)
    assert page(study, viewer="bo").revealed == ()
    line = list(study.history.lines("curator"))[-1]
    assert (line.kind, line.by) == ("revealed", "ann")
    assert "12345678" not in str(line.facts)
    with pytest.raises(NotFound):
        study.reviews.reveal("nobody", uid(study), *place)
    assert refusal(lambda: study.reviews.reveal("ann", uid(study), 2, 5, 99)) == "no_span"


# -- which dialogue


def test_the_next_dialogue_is_one_with_something_undecided(study: Project) -> None:
    pages = study.reviews.pages
    assert pages.first() == uid(study)
    assert pages.step(uid(study), 1, waiting=True) == uid(study, "d2")
    assert pages.step(uid(study, "d2"), 1, waiting=True) is None
    assert pages.step(uid(study, "d2"), 1) == uid(study, "d3")
    assert pages.waiting() == 2
    finished(study)
    assert (pages.first(), pages.waiting()) == (uid(study, "d2"), 1)
    assert pages.next_undone(uid(study)) == uid(study, "d2")
    assert pages.next_undone(uid(study, "d3")) == uid(study, "d2"), "round to the first again"
    counts = study.reviews.counts()
    assert (counts.agreed, counts.waiting, counts.done) == (3, 1, 1)


# -- any order of steps

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["accept", "reject", "retype", "resize", "add", "equal", "rest", "undo", "scrub"]),
        st.integers(0, 5),
        st.integers(-3, 30),
        st.integers(-3, 30),
    ),
    max_size=12,
)


@settings(max_examples=30, deadline=None)
@given(STEPS)
def test_any_order_of_steps_leaves_disjoint_findings_and_a_log_that_replays(
    steps: list[tuple[str, int, int, int]],
) -> None:
    with fresh() as study:
        agree(study, staff(study, 1, TEXTS))
        name, key = uid(study), study.dialogues.key(uid(study))
        study.reviews.look(name)
        study.reviews.see(name, "curator", range(1, 7))
        for step, which, low, high in steps:
            found = study.findings.shown(key)
            one = found[which % len(found)] if found else None
            place = (one.message, one.start, one.end) if one else (0, 0, 1)
            calls: dict[str, Any] = {
                "accept": lambda p=place: study.reviews.accept(name, "curator", p),
                "reject": lambda p=place: study.reviews.reject(name, "curator", p),
                "retype": lambda p=place: study.reviews.accept(name, "curator", p, "ORG"),
                "resize": lambda p=place, a=low, b=high: study.reviews.resize(name, "curator", p, a, b),
                "add": lambda m=which, a=low, b=high: study.reviews.add(name, "curator", m, a, b, "PERSON"),
                "equal": lambda p=place, a=low: study.reviews.decide_equal(name, "curator", p, a % 2 == 0),
                "rest": lambda a=low: study.reviews.decide_rest(name, "curator", a % 2 == 0),
                "undo": lambda: study.reviews.undo("curator"),
                "scrub": lambda: study.findings.scrub([key], "curator", 0.85),
            }
            with suppress(RefusedStep):  # of spans that are not there, which leaves everything as it was
                calls[step]()
            after = study.findings.shown(key)
            for first, second in pairwise(after):
                assert (first.message, first.end) <= (second.message, second.start)
            for one_mark, next_mark in pairwise(study.findings.marks(key)):
                assert (one_mark.message, one_mark.end) <= (next_mark.message, next_mark.start)
            open_ = {(f.message, f.start, f.end) for f in study.findings.undecided(key)}
            assert all(
                any(s.message == m and s.start <= a and b <= s.end and s.state == "open" for s in after)
                for m, a, b in open_
            )
        assert study.check() == []
