"""`check` sees what somebody changed behind the program's back."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from curation.errors import BadProject
from curation.replies.flags import FLAGS
from curation.work import Answer, Source, Terms
from curation.work.asking import MISSING, System
from db.dialogues import uid_of
from db.following import AREAS
from db.project import Project
from db.schema import PROJECTED
from tests.asked import take, written
from tests.conftest import Repeating, Ticking, agree, bring, codes, dialogue, refusal, staff, tampering


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with at least one row in every projected table, a changed dialogue, a release, and purged originals.

    Made once: each test takes a copy of the file.
    """
    folder = tmp_path_factory.mktemp("full")
    with Project.create(folder / "study.workbench", clock=Ticking(), entropy=Repeating()) as made:
        _fill(made, folder / "out")
        assert made.check() == []
        return made.path


@pytest.fixture
def study(full: Path, tmp_path: Path) -> Iterator[Project]:
    """That project, to be tampered with."""
    shutil.copy(full, tmp_path / full.name)
    with Project.open(tmp_path / full.name) as opened:
        yield opened


def _fill(made: Project, out: Path) -> None:
    texts = ["在吗", "你说", "我的QQ是12345678", "好的呀１", "电话13812345678打给我", "行"]
    made.dialogues.take([dialogue("p1", texts)], Source("phones", Terms(approval="IRB-7")), "curator")
    uids = staff(made, 5)
    bring(made, [dialogue("d5", turns=8)])
    agree(made, [*uids[:2], made.dialogues.find("p1").uid])
    made.screening.decide("ann", uids[2], Answer(True, "hint", "甲"))
    made.screening.decide("bo", uids[2], Answer(False, "", "乙"))
    made.disputes.rule("curator", uids[2], Answer(True, "hint", "裁定"))
    made.screening.skip("ann", uids[3], "later", "等等")
    keys = [made.dialogues.key(made.dialogues.find("p1").uid)]
    made.findings.scrub(keys, "curator", 0.0)
    made.findings.decide(uids[0], "curator", 0, 0, 2, "PERSON", True)
    made.quality.normalise("curator")
    made.change_settings("curator", rules_off=("radical",))
    made.texts.take_back(made.dialogues.find("p1").uid, "curator", 3, 3, 4)
    made.texts.take_back_rule(uids[0], "curator", "marks")
    made.dialects.tell(uids[0], "curator", "wu")
    made.quality.trim(uids[0], "curator", 1, [])
    phones = made.dialogues.find("p1").uid
    made.people.add("lin", "curator", "curator")
    made.reviews.allow(phones, "curator", (1, 0, 2))
    made.reviews.waive(phones, "curator", (1, 0, 2), "PERSON", "none")
    made.reviews.reveal("ann", phones, 2, 5, 13)
    for person, end in (("curator", made.reviews.finish), ("lin", made.reviews.sign)):
        made.reviews.look(phones)
        made.reviews.see(phones, person, range(1, 7))
        assert end(phones, person).done
    made.reviews.bar(uids[2], "curator", "story")
    _cut_and_rewrite(made, uids[0])
    _hand_on_and_talk(made, uids)
    _put_aside(made)
    made.quality.approve("curator")
    made.releases.export(out, "curator")
    _ask(made)
    _score(made)
    made.purging.purge(made.purging.plan([uids[1]]), "curator")
    _settle(made, uids)


def _cut_and_rewrite(made: Project, uid: str) -> None:
    """A rewriting that a second person signed; a dialogue that was cut, and then sent back."""
    made.rewriting.rewrite(uid, "curator", 3, "好的好的", "readable")
    made.rewriting.sign(uid, "lin", 3)
    bring(made, [dialogue("long", turns=10)])
    line = {"kind": "screening", "dialogue": "long", "keep": True, "situation": "hint"}
    made.decisions.take([(n, {**line, "by": by}) for n, by in enumerate(("ann", "bo"))], "lines")
    cut = made.dialogues.find("long").uid
    made.quality.trim(cut, "curator", 3, [])
    made.rewriting.send_back(cut, "curator", "不成立")


def _hand_on_and_talk(made: Project, uids: list[str]) -> None:
    """Readers of dialects, a dialogue handed back, a quota, a comment that was read, and every kind of round."""
    for name in ("cy", "dan"):
        made.people.add(name, "annotator", "curator")
    made.people.pair("cy", "dan", "curator")
    made.people.set_reads("ann", ["hakka", "wu"], "curator")
    made.raising.hand_back("bo", uids[3], "wu", "听不懂")
    made.quotas.set("curator", {"irony": 30, "hint": 2})
    made.inbox.read("ann", [made.inbox.say("curator", uids[0], "ann", "看第三轮")])
    bring(made, [dialogue("gold")])
    gold = made.dialogues.find("gold").uid
    made.rounds.set_gold("curator", gold, Answer(True, "irony"), "说反话")
    made.rounds.answer("ann", "training", gold, Answer(False))
    made.rounds.calibrate("curator", 1)


def _ask(made: Project) -> None:
    """A sample, systems, prompts, replies of which one replaced another, and one that was let pass."""
    made.samples.fix(2, 7, "curator", stage="agreed")
    made.systems.add(System("m1", model="m", temperature=0.5), "curator")
    take(made, written(made, "direct"))
    take(made, written(made, "direct", reply="作为一个AI我不去"), replace=True)
    assert made.replies.waive("curator", "m1", "direct", "看过了")


def _score(made: Project) -> None:
    """Scores at the desk, closed and not, with a note, a flag, something put off, a gold one; and the end of it."""
    take(made, written(made, "cot", reply="好呀"))
    for mode in ("cot", "direct"):
        made.replies.waive("curator", "m1", mode, "看过了", flags=[MISSING, *FLAGS])
    made.scoring.assign("curator", ["ann", "cy"])
    put_off, task = made.scoring.task("cy", 1), made.scoring.task("ann", 1)
    assert put_off is not None
    assert task is not None
    made.scoring.skip("cy", put_off.code, "later", "等等")
    for side, score in (("reply_1", 5), ("reply_2", 10)):
        made.scoring.score("ann", task.code, side, score)
    made.scoring.close("ann", task.code)
    made.scoring.note("ann", task.code, "像机器")
    made.scoring.flag("ann", task.code, True)
    gold = {"kind": "gold", "dialogue": "d1", "system": "m1", "cause": 5}
    assert not made.decisions.take([(1, gold)], "f").refused
    made.scoring.end("curator")


def _put_aside(made: Project) -> None:
    """A dialogue turned round after a decision on it, and one put before the lead."""
    bring(made, [dialogue("e1"), dialogue("e2")])
    made.screening.assign("curator", ["ann"])
    turned, raised = (made.dialogues.find(name).uid for name in ("e1", "e2"))
    made.screening.decide("ann", turned, Answer(True, "hint", "甲"))
    assert made.raising.swap("bo", turned) == "ends_with_self"
    made.raising.put("bo", raised, "minor", "像初中生")


def _settle(made: Project, uids: list[str]) -> None:
    """What was said before is settled or said otherwise; somebody leaves; lists come in."""
    bring(made, [dialogue("e3")])
    made.screening.assign("curator", ["ann"])
    minor = made.dialogues.find("e3").uid
    made.raising.put("ann", minor, "minor", "像初中生")
    (ref,) = [f"{event.origin}:{event.number}" for event in made.log.events() if event.body.get("dialogue") == minor]
    made.raising.resolve("curator", ref, "dropped", "是的")
    made.reviews.unbar(uids[2], "curator")
    made.reviews.bar(uids[2], "curator", "story")
    made.reviews.give_lists("curator", 'allow = ["晚风小馆"]')
    made.systems.change(System("m1", model="m", temperature=0.5, notes="夜里跑的"), "curator")
    made.people.add("eve", "annotator", "curator")
    made.people.retire("eve", "curator")


def test_every_kind_of_event_that_anything_follows_from_is_there_to_be_tampered_with(study: Project) -> None:
    kinds = {kind for area in AREAS for kind in (*area.apply, *area.apply_bare)}
    # Opened anew is only what was decided under another guideline than today's.
    assert kinds - {row["kind"] for row in _rows(study.path, "event")} == {"reopened"}


def _event_columns() -> list[str]:
    return ["origin", "number", "previous", "hash", "seen", "kind", "format", "by", "at", "body"]


def _other(value: Any) -> Any:
    """A value of the same type that is not this one."""
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:] if value else b"x"
    if isinstance(value, int):
        return value + 1000
    if isinstance(value, float):
        return value / 2 + 0.1
    if value is None:
        return 1
    return value + "x"


def _rows(path: Path, table: str) -> list[dict[str, Any]]:
    with tampering(path) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(f"SELECT * FROM {table}")]


def _columns(table: str) -> Iterator[str]:
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE TABLE t ({PROJECTED[table]})")
    yield from [row[1] for row in db.execute("PRAGMA table_info(t)")]
    db.close()


@pytest.mark.parametrize("column", _event_columns())
def test_a_change_of_one_column_of_an_event_of_any_kind_is_found(study: Project, column: str) -> None:
    for row in {row["kind"]: row for row in _rows(study.path, "event")}.values():
        with tampering(study.path) as db:
            where = (row["origin"], row["number"])
            db.execute("SAVEPOINT s")
            db.execute(f"UPDATE event SET {column} = ? WHERE origin = ? AND number = ?", (_other(row[column]), *where))
            db.execute("RELEASE s")
            assert codes(study) & {"chain"}, (row["kind"], column)
            new = {**row, column: _other(row[column])}
            db.execute(
                f"UPDATE event SET {column} = ? WHERE origin = ? AND number = ?",
                (row[column], new["origin"], new["number"]),
            )
    assert study.check() == []


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "null", "3", "{}", '{"dialogue":7,"event":3}', '{"event":["x"],"kind":"ruled"}']
)
def test_an_event_whose_body_is_no_body_is_a_finding_and_no_crash(study: Project, body: str) -> None:
    with tampering(study.path) as db:
        for (kind,) in db.execute("SELECT DISTINCT kind FROM event").fetchall():
            db.execute("SAVEPOINT s")
            db.execute("CREATE TEMP TABLE kept AS SELECT * FROM main.event")
            changed = db.execute("UPDATE event SET body = ?1 WHERE kind = ?2 AND body <> ?1", (body, kind)).rowcount
            db.execute("RELEASE s")
            # The end of scoring says nothing: an empty body is its own.
            assert ("chain" in codes(study)) == bool(changed), kind
            assert changed or (kind, body) == ("scoring_ended", "{}")
            db.execute("UPDATE event SET body = (SELECT body FROM kept k WHERE k.number = event.number)")
            db.execute("DROP TABLE kept")
    assert study.check() == []


@pytest.mark.parametrize("column", ["kind", "seen"])
def test_an_event_turned_into_one_of_another_kind_is_a_finding_and_no_crash(study: Project, column: str) -> None:
    kinds = [row["kind"] for row in _rows(study.path, "event")]
    values = [*dict.fromkeys(kinds), "undone", "person_retired"] if column == "kind" else ["", "{", '{"x":9}', "[]"]
    for row in _rows(study.path, "event")[-6:]:
        for value in values:
            if value == row[column]:
                continue
            with tampering(study.path) as db:
                db.execute(f"UPDATE event SET {column} = ? WHERE number = ?", (value, row["number"]))
                assert "chain" in codes(study)
                db.execute(f"UPDATE event SET {column} = ? WHERE number = ?", (row[column], row["number"]))


def test_an_event_removed_from_the_middle_is_found(study: Project) -> None:
    last = max(row["number"] for row in _rows(study.path, "event"))
    for number in range(1, last):
        with tampering(study.path) as db:
            db.execute("CREATE TEMP TABLE kept AS SELECT * FROM main.event WHERE number = ?", (number,))
            db.execute("DELETE FROM event WHERE number = ?", (number,))
            assert "chain" in codes(study), number
            db.execute("INSERT INTO event SELECT * FROM kept")
            db.execute("DROP TABLE kept")
    assert study.check() == []


def test_a_log_cut_short_is_found_by_what_a_backup_remembers(study: Project, tmp_path: Path) -> None:
    study.people.add("carol", "expert", "curator")
    copy = tmp_path / "copy.workbench"
    study.backup(copy)
    assert study.check() == []
    with tampering(study.path) as db:
        db.execute("DELETE FROM event WHERE number = (SELECT max(number) FROM event)")
        db.execute("DELETE FROM person WHERE name = 'carol'")
        assert codes(study) == {"head"}
        db.execute("DELETE FROM anchor")
        assert codes(study) == set(), "without an anchor nothing inside the file can tell"
        assert codes(study, copy) == {"head"}, "the backup itself tells"


def test_a_last_event_rewritten_whole_is_found_by_what_a_backup_remembers(study: Project, tmp_path: Path) -> None:
    study.backup(tmp_path / "copy.workbench")
    with tampering(study.path) as db:
        row = db.execute("SELECT max(number), previous FROM event").fetchone()
        db.execute("UPDATE event SET hash = ? WHERE number = ?", (bytes(32), row[0]))
        assert {"chain", "head"} <= codes(study)


def test_two_events_that_changed_places_are_found(study: Project) -> None:
    rows = _rows(study.path, "event")
    for one, two in pairwise(rows):
        with tampering(study.path) as db:
            for back in range(2):
                db.execute("UPDATE event SET number = 9999 WHERE number = ?", (one["number"],))
                db.execute("UPDATE event SET number = ? WHERE number = ?", (one["number"], two["number"]))
                db.execute("UPDATE event SET number = ? WHERE number = 9999", (two["number"],))
                if not back:
                    assert "chain" in codes(study)
    assert study.check() == []


def test_a_changed_character_of_any_stored_text_is_found(study: Project) -> None:
    for row in _rows(study.path, "payload"):
        with tampering(study.path) as db:
            text = row["text"] or "{}"  # what was destroyed is not to come back
            changed = text.replace('"', '" ', 1) if '"' in text else text + " "
            db.execute("UPDATE payload SET text = ? WHERE id = ?", (changed, row["id"]))
            assert "content" in codes(study), row["text"]
            db.execute("UPDATE payload SET text = ? WHERE id = ?", (row["text"], row["id"]))
    assert study.check() == []


@pytest.mark.parametrize(
    "change", ["text = NULL", "salt = NULL", "salt = NULL, text = NULL", "salt = x'00'", "text = '{}'", "text = ''"]
)
def test_a_text_that_was_emptied_is_found(study: Project, change: str) -> None:
    for row in _rows(study.path, "payload"):
        with tampering(study.path) as db:
            db.execute(f"UPDATE payload SET {change} WHERE id = ?", (row["id"],))
            now = db.execute("SELECT salt, text FROM payload WHERE id = ?", (row["id"],)).fetchone()
            if now == (row["salt"], row["text"]):
                assert now in ((None, None), (row["salt"], "{}")), "only what was destroyed, or says nothing, is empty"
                continue
            assert "content" in codes(study), row["text"]
            db.execute("UPDATE payload SET text = ?, salt = ? WHERE id = ?", (row["text"], row["salt"], row["id"]))
    assert study.check() == []


def test_texts_that_changed_places_are_found(study: Project) -> None:
    with tampering(study.path) as db:
        a, b = [r[0] for r in db.execute("SELECT payload FROM dialogue ORDER BY id LIMIT 2")]
        db.execute("UPDATE dialogue SET payload = ? + ? - payload WHERE payload IN (?, ?)", (a, b, a, b))
    assert "content" in codes(study)


@pytest.mark.parametrize("column", ["payload", "commitment", "dialogue", "number", "origin"])
def test_a_change_of_any_column_of_any_entry_is_found(study: Project, column: str) -> None:
    for row in _rows(study.path, "entry"):
        with tampering(study.path) as db:
            db.execute(
                f"UPDATE entry SET {column} = ? WHERE origin = ? AND number = ? AND dialogue = ?",
                (_other(row[column]), row["origin"], row["number"], row["dialogue"]),
            )
            assert codes(study), (row, column)
            new = {**row, column: _other(row[column])}
            db.execute(
                f"UPDATE entry SET {column} = ? WHERE origin = ? AND number = ? AND dialogue = ?",
                (row[column], new["origin"], new["number"], new["dialogue"]),
            )
    assert study.check() == []


def test_an_entry_removed_or_added_is_found(study: Project) -> None:
    for row in _rows(study.path, "entry"):
        where = (row["origin"], row["number"], row["dialogue"])
        with tampering(study.path) as db:
            db.execute("DELETE FROM entry WHERE origin = ? AND number = ? AND dialogue = ?", where)
            assert "digest" in codes(study)
            db.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", (*where, row["payload"], row["commitment"]))
    assert study.check() == []
    with tampering(study.path) as db:
        first = _rows(study.path, "entry")[0]
        for (number,) in db.execute("SELECT number FROM event").fetchall():
            added = (first["origin"], number, first["dialogue"], first["payload"], first["commitment"])
            if db.execute("INSERT OR IGNORE INTO entry VALUES (?, ?, ?, ?, ?)", added).rowcount:
                assert "digest" in codes(study), number
                db.execute("DELETE FROM entry WHERE number = ? AND dialogue = ?", (number, first["dialogue"]))


@pytest.mark.parametrize(("table", "column"), [(t, c) for t in PROJECTED for c in _columns(t)])
def test_a_change_of_any_column_of_a_projected_table_is_found(study: Project, table: str, column: str) -> None:
    rows = _rows(study.path, table)
    assert rows, f"the fixture puts nothing into {table}"
    for row in rows[:1] + rows[1:][-1:]:
        known = " AND ".join(f"{c} IS ?" for c in row)
        with tampering(study.path) as db:
            db.execute(f"UPDATE {table} SET {column} = ? WHERE {known}", (_other(row[column]), *row.values()))
            found = {(p.code, p.where) for p in study.check()}
            assert ("replay", table) in found or "file" in {c for c, _ in found}
            new = {**row, column: _other(row[column])}
            db.execute(f"UPDATE {table} SET {column} = ? WHERE {known}", (row[column], *new.values()))


@pytest.mark.parametrize("table", list(PROJECTED))
def test_a_row_removed_from_a_projected_table_is_found(study: Project, table: str) -> None:
    row = _rows(study.path, table)[0]
    with tampering(study.path) as db:
        db.execute(f"DELETE FROM {table} WHERE {' AND '.join(f'{c} IS ?' for c in row)}", tuple(row.values()))
    found = {(p.code, p.where) for p in study.check()}
    # What was destroyed is missed where nothing says that it was destroyed.
    assert {f for f in found if table != "purged" or f[0] != "content"} == {("replay", table)}


def test_a_removed_dialogue_is_found(study: Project) -> None:
    for row in _rows(study.path, "dialogue"):
        with tampering(study.path) as db:
            db.execute("DELETE FROM dialogue WHERE id = ?", (row["id"],))
            assert "digest" in codes(study)
            db.execute(f"INSERT INTO dialogue VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
    assert study.check() == []


def test_a_dialogue_removed_with_all_that_was_said_of_it_is_found(study: Project) -> None:
    key = study.dialogues.key(study.dialogues.find("d4").uid)
    with tampering(study.path) as db:
        (payload,) = db.execute("SELECT payload FROM dialogue WHERE id = ?", (key,)).fetchone()
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
        for table in tables:
            if "dialogue" in [row[1] for row in db.execute(f"PRAGMA table_info({table})")]:
                db.execute(f"DELETE FROM {table} WHERE dialogue = ?", (key,))
        db.execute("DELETE FROM dialogue WHERE id = ?", (key,))
        db.execute("DELETE FROM payload WHERE id = ?", (payload,))
    assert "digest" in codes(study)


@pytest.mark.parametrize(
    "column", ["uid", "source", "external_id", "version", "current", "commitment", "messages", "origin", "number"]
)
def test_a_change_of_any_column_of_a_dialogue_is_found(study: Project, column: str) -> None:
    for row in _rows(study.path, "dialogue"):
        with tampering(study.path) as db:
            value = 1 - row[column] if column == "current" else _other(row[column])
            db.execute(f"UPDATE dialogue SET {column} = ? WHERE id = ?", (value, row["id"]))
            assert codes(study), row["external_id"]
            db.execute(f"UPDATE dialogue SET {column} = ? WHERE id = ?", (row[column], row["id"]))
    assert study.check() == []


@pytest.mark.parametrize("change", ["name = name || 'x'"])
def test_a_change_of_a_source_is_found(study: Project, change: str) -> None:
    with tampering(study.path) as db:
        db.execute(f"UPDATE source SET {change} WHERE name = 'phones'")
    assert codes(study)


def test_changed_settings_are_found(study: Project) -> None:
    with tampering(study.path) as db:
        db.execute(
            "UPDATE meta SET value = replace(value, '\"min_turns\":6', '\"min_turns\":1') WHERE key = 'settings'"
        )
    assert codes(study)


def test_a_dialogue_added_under_an_event_that_brought_none_is_found(study: Project) -> None:
    row = {**_rows(study.path, "dialogue")[0], "id": 999, "external_id": "extra"}
    with tampering(study.path) as db:
        row["uid"] = uid_of(study._secret, "phones", "extra", 1)
        for (number,) in db.execute("SELECT number FROM event").fetchall():
            row["number"] = number
            db.execute(f"INSERT INTO dialogue VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
            db.execute("INSERT INTO state VALUES (999, 'imported')")
            assert "digest" in codes(study), number
            db.execute("DELETE FROM dialogue WHERE id = 999")
            db.execute("DELETE FROM state WHERE dialogue = 999")


def test_noise_in_any_page_is_a_finding_or_a_refusal_and_no_crash(study: Project) -> None:
    study.close()
    data = study.path.read_bytes()
    seen = set()
    for page in range(len(data) // 4096):
        hurt = bytearray(data)
        hurt[page * 4096 + (100 if page == 0 else 0) : page * 4096 + 300] = b"\xa5" * (200 if page == 0 else 300)
        target = study.path.with_name(f"hurt{page}.workbench")
        target.write_bytes(hurt)
        seen.add(_outcome(target))
        assert target.read_bytes() == hurt, "a damaged file is left as it is"
        target.unlink()
    assert seen == {"db_corrupt", "file"}


def _outcome(path: Path) -> str:
    try:
        with Project.open(path) as opened:
            found = codes(opened)
            assert "file" in found or "content" in found, found
            return "file"
    except BadProject as error:
        return error.code


@pytest.mark.parametrize(
    "added",
    [
        "CREATE TRIGGER flip AFTER INSERT ON decision BEGIN UPDATE decision SET keep = 0; END",
        "CREATE TRIGGER quiet AFTER INSERT ON draft BEGIN DELETE FROM draft; END",
        "CREATE VIEW answers AS SELECT * FROM decision",
        "CREATE TABLE extra (x)",
        "DROP INDEX state_stage",
        "ALTER TABLE desk ADD COLUMN more TEXT",
    ],
)
def test_a_schema_of_another_make_is_not_opened(study: Project, added: str) -> None:
    study.close()
    with tampering(study.path) as db:
        db.execute(added)
    assert refusal(lambda: Project.open(study.path)) == "db_schema_mismatch"
