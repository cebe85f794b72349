"""A purge that is killed has destroyed nothing, or can be finished by purging again; and a person is asked before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from db.project import Project
from db.rawbytes import chunks, companions
from tests.conftest import Make, agree, bring, dialogue, staff
from tests.terminal.ptydriver import Terminal

HERE = Path(__file__).resolve().parents[2]
SECRET = "只有这里才有的一句话"

PURGING = """
import os, signal, sys
from pathlib import Path
from db.project import Project
from db.purging import Purging

path, step, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
before = getattr(Purging, step)
def killed(self, *rest):
    global count
    count -= 1
    if count < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return before(self, *rest)
setattr(Purging, step, killed)
with Project.open(path) as project:
    project.purging.purge(project.purging.plan(), "curator")
    project.purging.wipe()
print("done")
"""


@pytest.fixture
def study(project: Make) -> Path:
    made = project()
    staff(made, 4, [SECRET, "好", "嗯嗯", "行", "那就这样", "再见"])
    bring(made, [dialogue(f"d{n}") for n in range(5, 9)], "more")
    made.screening.assign("curator")
    uids = [one.uid for one in made.dialogues.at() if one.stage.value == "candidate"]
    agree(made, uids)
    made.findings.scrub([made.dialogues.key(uid) for uid in uids], "curator", 0.0)
    assert made.quality.approve("curator").approved == len(uids) == 5
    made.close()
    return made.path


def held(path: Path) -> bool:
    return any(SECRET.encode() in b"".join(chunks(file)) for file in companions(path))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize(
    ("step", "count", "begun"),
    [("_destroy", 3, False), ("_rewrite", 0, True), ("_emptied", 0, True)],
)
def test_a_killed_purge_has_done_nothing_or_can_be_finished(study: Path, step: str, count: int, begun: bool) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PURGING, str(study), step, str(count)],
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": str(HERE)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == -signal.SIGKILL, run.stderr.decode()
    with Project.open(study) as project:
        assert project.check() == []
        purged = sum(one.purged for one in project.dialogues.at())
        assert purged == (5 if begun else 0)
        plan = project.purging.plan()
        assert len(plan.uids) == 5 - purged
        project.purging.purge(plan, "curator")
        assert project.purging.wipe()
        assert project.check() == []
        # One copy of the secret stays: near duplicates of what is purged were rejected, and are other dialogues.
        others = [one for one in project.dialogues.at() if one.stage.value == "rejected"]
        assert len(others) == 3
    assert held(study)


def test_the_last_words_are_gone_where_no_other_dialogue_holds_them(project: Make) -> None:
    made = project()
    uids = staff(made, 1, [SECRET, "好", "嗯嗯", "行", "那就这样", "再见"])
    agree(made, uids)
    made.findings.scrub([made.dialogues.key(uid) for uid in uids], "curator", 0.0)
    made.findings.decide(uids[0], "curator", 0, 0, len(SECRET), "ADDRESS", True)
    made.quality.approve("curator")
    made.close()
    assert held(made.path)
    subprocess.run(
        [sys.executable, "-c", PURGING, str(made.path), "_rewrite", "0"],
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": str(HERE)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    with Project.open(made.path) as again:
        assert again.purging.due
        assert again.purging.wipe()
    assert not held(made.path)


@pytest.mark.parametrize(("answer", "status", "purged"), [("n", 1, 0), ("", 1, 0), ("y", 0, 5)])
def test_on_a_terminal_a_person_is_asked(study: Path, tmp_path: Path, answer: str, status: int, purged: int) -> None:
    code = "import sys; from workbench.cli import main; sys.exit(main(['purge', sys.argv[1], '--lang', 'en']))"
    with Terminal(study, code=code, home=tmp_path) as terminal:
        terminal.wait_for("cannot be undone")
        terminal.send(f"{answer}\r")
        assert terminal.end() == status
    with Project.open(study) as project:
        assert sum(one.purged for one in project.dialogues.at()) == purged
