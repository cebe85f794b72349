"""Making and opening a project: what is refused, and that a refused file is left as it is."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from curation.errors import BadProject, UsageError
from curation.settings import Settings
from curation.work import Answer, Source
from db import connection as opening
from db.project import Project
from db.schema import PROJECTED, VERSION
from tests.conftest import Make, Repeating, Ticking, agree, bring, codes, dialogue, refusal, staff, tampering

ROOT = Path(__file__).resolve().parents[2]


# -- making


def test_a_new_project_opens_with_the_settings_it_was_made_with(tmp_path: Path) -> None:
    settings = Settings(lang="en", min_turns=3, max_turns=40, script="traditional", near_duplicate=0.5)
    with Project.create(tmp_path / "p.workbench", settings, by="lead") as made:
        identity = made.id
    with Project.open(tmp_path / "p.workbench") as opened:
        assert (opened.id, opened.settings) == (identity, settings)
        assert opened.people.get("lead").role == "curator"
        assert opened.check() == []


@pytest.mark.parametrize("name", ["a b", "研究", "q?x=1", "50%25", "#1", "'; --", "back\\slash", "é"])
def test_a_project_may_have_any_name(tmp_path: Path, name: str) -> None:
    Project.create(tmp_path / name).close()
    with Project.open(tmp_path / name) as opened:
        assert opened.check() == []
    assert [one.name for one in tmp_path.iterdir()] == [name]


def _file(path: Path) -> None:
    path.write_bytes(b"mine")


def _empty(path: Path) -> None:
    path.touch()


def _folder(path: Path) -> None:
    path.mkdir()


def _dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def _link(path: Path) -> None:
    path.with_name("target").write_bytes(b"theirs")
    path.symlink_to(path.with_name("target"))


@pytest.mark.parametrize("there", [_file, _empty, _folder, _dangling, _link])
def test_create_and_backup_refuse_whatever_is_there(
    project: Make, tmp_path: Path, there: Callable[[Path], None]
) -> None:
    study = project()
    there(tmp_path / "x")
    before = _all(tmp_path)
    assert refusal(lambda: Project.create(tmp_path / "x")) == "exists"
    assert refusal(lambda: study.backup(tmp_path / "x")) == "exists"
    assert _all(tmp_path) == before


def test_create_and_backup_refuse_a_missing_folder(project: Make, tmp_path: Path) -> None:
    study = project()
    _file(tmp_path / "file")
    for path in (tmp_path / "no" / "x", tmp_path / "file" / "x"):
        assert refusal(partial(Project.create, path)) == "no_folder"
        assert refusal(partial(study.backup, path)) == "no_folder"
    assert not (tmp_path / "no").exists()


def test_create_under_an_impossible_name_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadProject):
        Project.create(tmp_path / ("n" * 300))
    assert list(tmp_path.iterdir()) == []


def test_a_create_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> str:
        raise RuntimeError("no time")

    with pytest.raises(RuntimeError):
        Project.create(tmp_path / "p", clock=broken)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_only_the_owner_may_read_the_file_and_what_lies_beside_it(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with Project.create(tmp_path / "p") as study:
            staff(study, 2)
            study.backup(tmp_path / "copy")
            names = {one.name for one in tmp_path.iterdir()}
            assert names == {"p", "p-wal", "p-shm", "copy"}
            assert {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()} == {0o600}
    finally:
        os.umask(before)
    assert {one.name for one in tmp_path.iterdir()} == {"p", "copy"}, "nothing is left beside a closed project"


def test_no_two_projects_have_the_same_secret_or_name(tmp_path: Path) -> None:
    found = set()
    for number in range(3):
        Project.create(tmp_path / str(number)).close()
        with tampering(tmp_path / str(number)) as db:
            found |= {v for (v,) in db.execute("SELECT value FROM meta WHERE key IN ('project', 'origin', 'secret')")}
    assert len(found) == 9


# -- opening


def test_opening_what_is_not_there_makes_nothing(tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("missing", "no/missing", "dangling"):
        assert refusal(partial(Project.open, tmp_path / name)) == "no_project"
    assert [one.name for one in tmp_path.iterdir()] == ["dangling"]


def _all(folder: Path) -> dict[str, bytes | None]:
    return {one.name: one.read_bytes() if one.is_file() else None for one in folder.iterdir()}


def _database(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    db.close()


def _with(statement: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        Project.create(path).close()
        with tampering(path) as db:
            db.execute(statement)

    return make


def _cut(keep: float) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        Project.create(path).close()
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * keep)])

    return make


def _noise(start: int, count: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        Project.create(path).close()
        data = bytearray(path.read_bytes())
        data[start : start + count] = b"\xa5" * count
        path.write_bytes(data)

    return make


def _holding(data: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


BAD: dict[str, tuple[Callable[[Path], None], str]] = {
    "a folder": (_folder, "not_a_file"),
    "an empty file": (_empty, "db_not_ours"),
    "a text file": (_holding("我们".encode() * 500), "db_not_ours"),
    "a header alone": (_holding(b"SQLite format 3\x00"), "db_not_ours"),
    "another program's database": (_database, "db_not_ours"),
    "an older format of another program": (_with("PRAGMA application_id=1"), "db_not_ours"),
    "a newer project": (_with("PRAGMA user_version=9999"), "db_too_new"),
    "a project cut in half": (_cut(0.5), "db_corrupt"),
    "a project without its last page": (_cut(0.99), "db_corrupt"),
    "noise in the first page": (_noise(100, 3000), "db_corrupt"),
    "a project without its names": (_with("DELETE FROM meta"), "db_corrupt"),
    "a project without its secret": (_with("DELETE FROM meta WHERE key = 'secret'"), "db_corrupt"),
    "a project whose secret is none": (_with("UPDATE meta SET value = 'xyz' WHERE key = 'secret'"), "db_corrupt"),
    "a project whose settings are none": (_with("UPDATE meta SET value = '{' WHERE key = 'settings'"), "db_corrupt"),
    "a project with odd settings": (_with("UPDATE meta SET value = '[1]' WHERE key = 'settings'"), "db_corrupt"),
    "a project with wrong settings": (
        _with("UPDATE meta SET value = '{\"lang\":\"xx\"}' WHERE key = 'settings'"),
        "db_corrupt",
    ),
    "a project without its tables": (_with("DROP TABLE meta"), "db_schema_mismatch"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_sound_project_is_refused_by_code_and_left_as_it_is(tmp_path: Path, what: str) -> None:
    make, code = BAD[what]
    make(tmp_path / "x")
    before = (tmp_path / "x").read_bytes() if (tmp_path / "x").is_file() else None
    assert refusal(lambda: Project.open(tmp_path / "x")) == code
    assert (before is None) or (tmp_path / "x").read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["x"]
    assert opening._open_here == {}, "nothing is thought open"


@pytest.mark.parametrize("name", ["fifo", "device"])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    if name == "fifo":
        os.mkfifo(tmp_path / name)
    else:
        (tmp_path / name).symlink_to("/dev/zero")
    assert refusal(lambda: Project.open(tmp_path / name)) == "not_a_file"


def test_a_link_to_a_project_opens_it(project: Make, tmp_path: Path) -> None:
    study = project()
    (tmp_path / "link").symlink_to(study.path)
    with Project.open(tmp_path / "link") as opened:
        opened.people.add("carol", "expert", "curator")
    assert study.people.get("carol").role == "expert"


def test_a_project_on_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Project.create(tmp_path / "p").close()
    monkeypatch.setattr(opening, "_UNSAFE_FILESYSTEMS", frozenset({opening._filesystem(tmp_path.resolve())}))
    assert refusal(lambda: Project.open(tmp_path / "p")) == "unsafe_place"
    assert refusal(lambda: Project.create(tmp_path / "q")) == "unsafe_place"
    assert not (tmp_path / "q").exists()


def test_closing_twice_is_no_mistake(project: Make) -> None:
    study = project()
    study.close()
    study.close()
    assert opening._open_here == {}


# -- how SQLite is set


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("trusted_schema", 0),
        ("cell_size_check", 1),
        ("secure_delete", 1),
        ("temp_store", 2),
        ("mmap_size", 0),
        ("busy_timeout", 10_000),
        ("application_id", opening.APPLICATION_ID),
        ("user_version", VERSION),
    ],
)
def test_every_connection_is_set_for_safety(project: Make, pragma: str, value: object) -> None:
    study = project()
    with Project.open(study.path) as again:
        for one in (study, again):
            assert one._db.execute(f"PRAGMA {pragma}").fetchone()[0] == value
            assert one._db.isolation_level is None


def test_every_table_is_strict(project: Make) -> None:
    rows = (
        project()
        ._db.execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
        .fetchall()
    )
    loose = {name for name, strict in rows if not strict and not name.startswith(("sqlite_", "_sqlite_"))}
    assert loose - {"_sqlite_migrations"} == set()
    assert set(PROJECTED) <= {name for name, _ in rows}


def test_nothing_but_the_one_door_opens_a_database() -> None:
    doors: dict[str, list[str]] = {}
    for path in sorted((ROOT / "db").glob("*.py")):
        source = path.read_text(encoding="utf-8")
        for match in re.finditer(
            r"sqlite3\.connect\(|\.open\(\"r|(?<![.\w])(?<!def )open\(|read_bytes\(|shutil|apsw|copyfile", source
        ):
            line = source.count("\n", 0, match.start()) + 1
            doors.setdefault(path.name, []).append(source.split("\n")[line - 1].strip())
    assert doors.pop("connection.py") == [
        'with path.open("rb") as handle:',
        "connection = sqlite3.connect(",
    ]
    # Copies and releases: files of other names, and never the open project itself.
    assert doors.pop("project.py") == [
        "copy = sqlite3.connect(building, isolation_level=None)",
        'with building.open("rb+") as handle:',
    ]
    assert doors.pop("integrity.py") == ['other = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)']
    assert doors.pop("releases.py") == [
        "hashlib.sha256((out / name).read_bytes()).hexdigest() == total for name, total in expected.items()",
        'with open(building, "w", encoding="utf-8", newline="\\n") as handle:',
    ]
    assert doors.pop("disputed.py") == ['with open(building, "w", encoding="utf-8", newline="\\n") as handle:']
    # Bytes of a project are read where no connection of this process is open on it.
    assert doors.pop("rawbytes.py") == ['with path.open("rb") as handle:'] * 2
    assert doors.pop("blindness.py") == [
        'copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)'
    ]
    assert doors == {}


def test_an_open_project_is_never_read_by_another_door(project: Make) -> None:
    study = project()
    read: list[str] = []
    watching = threading.get_ident()

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and watching == threading.get_ident() and os.fspath(study.path) == str(arguments[0]):
            read.append(event)

    sys.addaudithook(hook)
    try:
        Project.open(study.path).close()
        study.check(study.path)
        study.backup(study.path.with_name("copy"))
        study.status()
        refusal(lambda: Project.create(study.path))
        assert read == []
        study.close()
        Project.open(study.path).close()
        assert read == ["open"], "the watch does see it"
    finally:
        watching = 0


# -- commits


def test_a_step_on_a_full_disk_is_refused_in_words_and_the_next_one_is_saved(project: Make) -> None:
    study = project()
    uids = staff(study, 5)
    pages = study._db.execute("PRAGMA page_count").fetchone()[0]
    study._db.execute(f"PRAGMA max_page_count={pages}").fetchall()
    long = Answer(True, "irony", "长" * 200_000)
    assert refusal(lambda: study.screening.decide("ann", uids[0], long)) == "disk_full"
    big = [dialogue(f"x{n}", ["很长" * 20_000] * 6) for n in range(5)]
    assert refusal(lambda: study.dialogues.take(big, Source("big"), "curator")) == "disk_full"
    assert not study._db.in_transaction
    assert study.screening.progress("ann").decided == 0
    study._db.execute("PRAGMA max_page_count=1000000").fetchall()
    study.screening.decide("ann", uids[0], long)
    with Project.open(study.path) as other:
        assert other.screening.progress("ann").decided == 1
        assert other.check() == []


def test_a_commit_that_fails_is_no_transaction_left_open(project: Make) -> None:
    study = project()

    def dangling() -> None:
        with opening.transaction(study._db):
            study._db.execute("PRAGMA defer_foreign_keys=ON")
            study._db.execute("INSERT INTO desk VALUES ('ann', 'x', 12345)")

    with pytest.raises(sqlite3.IntegrityError):
        dangling()
    assert not study._db.in_transaction
    study.people.add("carol", "expert", "curator")
    with Project.open(study.path) as other:
        assert other.people.get("carol").role == "expert"


def test_a_failure_inside_takes_back_all_of_a_step(project: Make) -> None:
    study = project()

    def both() -> None:
        with opening.transaction(study._db):
            study.people.add("carol", "expert", "curator")
            raise UsageError("no")

    with pytest.raises(UsageError):
        both()
    assert [p.name for p in study.people.everyone()] == ["curator"]
    assert study.check() == []


def test_a_damaged_page_met_on_the_way_is_said_in_words(project: Make) -> None:
    study = project()
    bring(study, [dialogue(f"d{n}", ["长长" * 2000] * 6) for n in range(50)])
    study.close()
    data = bytearray(study.path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096 * 20] = b"\xa5" * 4096 * 20
    study.path.write_bytes(data)

    def look() -> None:
        with Project.open(study.path) as hurt:
            list(hurt.search.find("长长"))
            hurt.dialogues.apply_rules("curator")
            list(hurt.dialogues.at())

    assert refusal(look) == "db_corrupt"
    with Project.open(study.path) as hurt:
        assert "file" in codes(hurt) or "content" in codes(hurt)


# -- windows


def test_two_windows_in_two_threads_lose_no_decision(project: Make) -> None:
    study = project()
    staff(study, 60)
    failures: list[BaseException] = []

    def work(person: str) -> None:
        try:
            with Project.open(study.path) as window:
                while (task := window.screening.next(person, 0)) is not None:
                    window.screening.decide(person, task.stored.uid, Answer(True, "irony", person))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("ann", "bo")]
    for thread in threads:
        thread.start()
    for number in range(20):
        study.people.add(f"p{number}", "expert", "curator")
        assert study.check() == [], "a check beside others' writing finds nothing wrong"
    for thread in threads:
        thread.join()
    assert failures == []
    assert study.dialogues.stages()["agreed"] == 60
    assert study.check() == []


def test_the_same_decision_from_two_windows_counts_once(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    with Project.open(study.path) as other:
        study.screening.decide("ann", uids[0], Answer(True, "irony"))
        assert refusal(lambda: other.screening.decide("ann", uids[0], Answer(False))) == "decided"
        assert other.screening.given("ann", uids[0]) == Answer(True, "irony")


def test_many_threads_open_and_close_one_project_at_once(project: Make) -> None:
    study = project()
    agree(study, staff(study, 1))
    study.close()
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(8):
                with Project.open(study.path) as window:
                    window.people.add(f"w{number}-{turn}", "expert", "curator")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert opening._open_here == {}
    with Project.open(study.path) as last:
        assert len(last.people.everyone()) == 3 + 32
        assert last.check() == []


def test_the_same_steps_with_the_same_clock_and_chance_give_the_same_log(tmp_path: Path) -> None:
    found = []
    for name in ("a", "b"):
        with Project.create(tmp_path / name, clock=Ticking(), entropy=Repeating()) as study:
            agree(study, staff(study, 3))
            found.append(study.log.head())
    assert found[0] == found[1]


def test_what_a_new_file_holds_is_what_its_statements_say() -> None:
    from db import schema

    connection = sqlite3.connect(":memory:")
    try:
        schema._m001_first_schema(connection)
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    finally:
        connection.close()
    assert {((kind, name), sql) for kind, name, sql in rows} == schema._expected()
