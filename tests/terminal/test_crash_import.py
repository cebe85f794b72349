"""Processes that are killed: nothing half imported, nothing acknowledged lost."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import db.dialogues
from curation.errors import BadProject
from curation.work import Source
from db.project import Project
from tests.conftest import bring, dialogue

HERE = Path(__file__).resolve().parents[2]

IMPORTING = """
import sys
from pathlib import Path
import db.dialogues
from curation.work import Source
from db.project import Project
from tests.conftest import dialogue

db.dialogues.CHUNK = 20
def readings():
    for number in range(100_000):
        if number % 20 == 0:
            print(number, flush=True)
        yield dialogue(f"k{number}")

with Project.open(Path(sys.argv[1])) as project:
    project.dialogues.take(readings(), Source("killed"), "curator")
"""

DECIDING = """
import sys
from pathlib import Path
from curation.work import Answer
from db.project import Project

with Project.open(Path(sys.argv[1])) as project:
    place = 0
    while (task := project.screening.next(sys.argv[2], place)) is not None:
        project.screening.decide(sys.argv[2], task.stored.uid, Answer(True, "irony", "因为"))
        print(task.stored.uid, flush=True)
        place = task.place
"""

CREATING = """
import sys
from pathlib import Path
from db.project import Project
print("go", flush=True)
for number in range(100_000):
    Project.create(Path(sys.argv[1]) / f"p{number}.workbench").close()
"""


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": str(HERE)},
    )


def kill_after(process: subprocess.Popen[str], lines: int) -> list[str]:
    """Let it print so many lines, kill it without a word, and return all it had said."""
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(lines)]
    process.send_signal(signal.SIGKILL)
    said += process.stdout.read().splitlines(keepends=True)
    process.stdout.close()
    process.wait()
    return [line.strip() for line in said if line.endswith("\n")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "study.workbench"
    with Project.create(made) as study:
        bring(study, [dialogue(f"d{n}") for n in range(300)])
        for name in ("ann", "bo"):
            study.people.add(name, "annotator", "curator")
        study.people.pair("ann", "bo", "curator")
        study.screening.assign("curator")
    return made


def payloads(path: Path) -> tuple[int, int]:
    with sqlite3.connect(path) as connection:
        found = connection.execute(
            "SELECT count(*), count(*) FILTER (WHERE id NOT IN (SELECT payload FROM dialogue)"
            " AND id NOT IN (SELECT payload FROM entry)) FROM payload"
        ).fetchone()
    connection.close()
    return int(found[0]), int(found[1])


@pytest.mark.parametrize("chunks", [1, 3, 10])
def test_a_killed_import_leaves_no_dialogue_and_is_swept_later(
    path: Path, chunks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = payloads(path)
    kill_after(start(IMPORTING, path), chunks)
    with Project.open(path) as study:
        assert sum(study.dialogues.stages().values()) == 300
        assert set(study.dialogues.sources()) == {"chats"}
        assert study.check() == []
        left = payloads(path)[1]
        assert left >= (chunks - 1) * 20 - 20
        study.dialogues.take([dialogue("young")], Source("chats"), "curator")
        assert payloads(path)[1] == left, "an import that may still be alive is left alone"
        monkeypatch.setattr(db.dialogues, "STALE_SECONDS", -1.0)
        study.dialogues.take([dialogue("later")], Source("chats"), "curator")
        assert payloads(path) == (before[0] + 2, 0)
        assert study.check() == []
        assert study.dialogues.take([dialogue("k0")], Source("killed"), "curator").new == 1


@pytest.mark.parametrize("round_", range(6))
def test_a_decision_that_was_acknowledged_survives_a_kill(path: Path, round_: int) -> None:
    done = kill_after(start(DECIDING, path, "ann"), 5 + round_ * 9)
    with Project.open(path) as study:
        assert study.check() == []
        kept = {line["dialogue"] for line in study.decisions.give("ann")}
        told = {study.dialogues.find(uid).external_id for uid in done}
        assert told <= kept
        assert len(kept - told) <= 1, "at most one was saved and not yet acknowledged"


def test_kills_over_and_over_on_one_project_lose_nothing(path: Path) -> None:
    told: set[str] = set()
    for _ in range(8):
        told |= set(kill_after(start(DECIDING, path, "bo"), 4))
    with Project.open(path) as study:
        assert study.check() == []
        names = {study.dialogues.find(uid).external_id for uid in told}
        assert names <= {line["dialogue"] for line in study.decisions.give("bo")}


def test_two_processes_decide_at_once_and_one_is_killed(path: Path) -> None:
    killed, other = start(DECIDING, path, "ann"), start(DECIDING, path, "bo")
    told = {"ann": kill_after(killed, 40), "bo": []}
    out, _ = other.communicate()
    told["bo"] = out.split()
    assert len(told["bo"]) == 300
    with Project.open(path) as study:
        assert study.check() == []
        for name, uids in told.items():
            assert all(study.screening.given(name, uid) for uid in uids)
        assert study.dialogues.stages()["agreed"] >= len(told["ann"])


def test_a_killed_create_leaves_a_whole_project_or_none(tmp_path: Path) -> None:
    for pause in (0.0, 0.02, 0.05, 0.09):
        folder = tmp_path / f"f{pause}"
        folder.mkdir()
        process = start(CREATING, folder)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        kill_after(process, 0)
        for found in folder.glob("*.workbench"):
            with Project.open(found) as study:
                assert study.check() == []


READING_OWN_FILE = """
import sys, time
from pathlib import Path
from curation.errors import BadProject, WorkbenchError
from curation.work import Answer
from db.project import Project

path = Path(sys.argv[1])
project = Project.open(path)
project.screening.task("ann")
# All that a window does beside deciding and that might touch the file by another door.
Project.open(path).close()
project.check(path)
try:
    Project.create(path)
except BadProject:
    pass
project.backup(path.with_name(f"copy{time.time_ns()}.workbench"))
project.releases.raw(path.with_name("raw"), "curator")
project.status()
print("ready", flush=True)
sys.stdin.readline()
place = 0
for _ in range(50):
    task = project.screening.next("ann", place)
    project.screening.decide("ann", task.stored.uid, Answer(True, "irony", "x"))
    place = task.place
    print(task.stored.uid, flush=True)
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_nothing_a_window_does_makes_it_lose_its_locks(path: Path) -> None:
    """The classic loss: a process reads its own open file, its locks go, another closes as if it were the last one."""
    process = subprocess.Popen(
        [sys.executable, "-c", READING_OWN_FILE, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": str(HERE)},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    # A second process opens and closes: were the locks gone, it would remove the write-ahead log.
    opened = (
        "import sys; from pathlib import Path; from db.project import Project; Project.open(Path(sys.argv[1])).close()"
    )
    subprocess.run(
        [sys.executable, "-c", opened, str(path)], check=True, cwd=HERE, env={**os.environ, "PYTHONPATH": str(HERE)}
    )
    process.stdin.write("go\n")
    process.stdin.flush()
    told = process.stdout.read().split()
    process.stdin.close()
    process.stdout.close()
    process.wait()
    assert len(told) == 50
    with Project.open(path) as study:
        assert study.screening.progress("ann").decided == 50
        assert study.check() == []


def test_a_project_that_another_process_holds_locked_is_busy_in_words(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.connection.BUSY_SECONDS", 0.2)
    holding = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN IMMEDIATE');"
        "print('held', flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", holding, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    try:
        with Project.open(path) as study:
            assert study.status().stages["candidate"] == 300, "reading goes on"
            with pytest.raises(BadProject) as refused:
                study.people.add("carol", "expert", "curator")
            assert refused.value.code == "busy"
    finally:
        process.communicate("")
    with Project.open(path) as study:
        study.people.add("carol", "expert", "curator")
        assert study.check() == []
