"""The command as a process of its own: streams, encodings, signals, and the demonstration."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*argv: object, cwd: Path, stdin: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Call `python -m workbench` in `cwd`, with pipes for streams."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "HOME": str(cwd), **environ}
    command = [sys.executable, "-m", "workbench", *map(str, argv)]
    return subprocess.run(command, cwd=cwd, env=env, input=stdin, capture_output=True, timeout=120)


def test_version(tmp_path: Path) -> None:
    done = run("--version", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"workbench 0.")


@pytest.mark.parametrize("name", ["db", "screens", "curation"])
def test_another_package_of_our_name_is_told_of(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong one was imported')\n", encoding="utf-8")
    done = run("--help", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == b""
    assert f"{name}.py".encode() in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_a_terminal_the_interface_says_so_and_nothing_is_made(tmp_path: Path) -> None:
    for argv in ([], ["typo.workbench"], ["screen", "typo.workbench", "--as", "x"]):
        done = run(*argv, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stdout == b""
        assert b"Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_chinese_does_not_fail_on_a_stream_that_cannot_show_it(tmp_path: Path) -> None:
    for encoding in ("ascii", "latin-1", "gbk"):
        done = run("--help", "--lang", "zh", cwd=tmp_path, PYTHONIOENCODING=encoding)
        assert done.returncode == 0, done.stderr
        done = run("explain", "没有.workbench", "😀", "--lang", "zh", cwd=tmp_path, PYTHONIOENCODING=encoding)
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr


def test_json_is_utf8_whatever_the_stream_says(tmp_path: Path) -> None:
    run("init", "p.workbench", cwd=tmp_path)
    run("people", "p.workbench", "add", "小林", "--role", "annotator", cwd=tmp_path)
    done = run("people", "p.workbench", "list", "--json", cwd=tmp_path, PYTHONIOENCODING="latin-1")
    assert "小林" in [p["name"] for p in json.loads(done.stdout.decode("utf-8"))["people"]]


def test_the_language_is_asked_for_else_the_projects_else_the_systems(tmp_path: Path) -> None:
    run("init", "zh.workbench", "--lang", "zh", cwd=tmp_path)
    english = run("status", "zh.workbench", "--lang", "en", cwd=tmp_path).stdout.decode()
    chinese = run("status", "zh.workbench", cwd=tmp_path).stdout.decode()
    assert "dialogues" in english
    assert chinese != english
    assert run("--help", cwd=tmp_path, LC_ALL="zh_CN.UTF-8").stdout != run("--help", cwd=tmp_path).stdout


def test_a_closed_pipe_is_no_reason_to_complain(tmp_path: Path) -> None:
    rows = b'{"id": 1, "text": "x"}\n' * 50_000
    (tmp_path / "rows.jsonl").write_bytes(rows)
    script = f"{sys.executable} -m workbench text pii < rows.jsonl | head -n 1"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=env, capture_output=True, timeout=120)
    assert done.stderr == b""
    assert len(done.stdout.splitlines()) == 1


def test_an_interrupt_ends_it_with_130_and_a_word(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    argv = [sys.executable, "-m", "workbench", "text", "pii"]
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=env
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"id": 1, "text": "x"}\n')
        process.stdin.flush()
        process.stdout.readline()  # it is up, and waits for more
        process.send_signal(signal.SIGINT)
        error = process.stderr.read()
        process.stdin.close()
        assert process.wait(30) == 130
    assert b"Traceback" not in error
    assert len(error.splitlines()) == 1


# -- the demonstration


def test_the_demonstration_asks_nothing_and_tells_each_step(tmp_path: Path) -> None:
    done = run("demo", "d", "--lang", "en", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    steps = [line.split()[0] for line in done.stdout.decode().splitlines()]
    assert steps[:-1] == [
        *(
            "init",
            "import",
            "candidates",
            "people",
            "assign",
            "decisions",
            "scrub",
            "review",
            "normalize",
            "trim",
            "rewrite",
            "approve",
        ),
        *("sample", "prompts", "systems", "replies", "replies"),
        *("assign", "decisions", "agreement", "scores", "check", "export", "check"),
    ]
    assert "workbench d/demo.workbench" in done.stdout.decode()
    assert run("check", "d/demo.workbench", cwd=tmp_path).returncode == 0
    released = (tmp_path / "d" / "release" / "dialogues.jsonl").read_text(encoding="utf-8").splitlines()
    stages = json.loads(run("status", "d/demo.workbench", "--json", cwd=tmp_path).stdout)["stages"]
    assert len(released) == stages["released"] > 0
    modes = {stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "d").rglob("*")}
    assert modes == {0o600, 0o700}


def test_two_demonstrations_write_the_same_release(tmp_path: Path) -> None:
    reports = [json.loads(run("demo", name, "--json", cwd=tmp_path).stdout) for name in ("one", "two")]
    assert {s["step"] for s in reports[0]["steps"]} >= {"init", "check"}
    folders = [tmp_path / name / "release" for name in ("one", "two")]
    files = sorted(p.name for p in folders[0].iterdir())
    assert files == sorted(p.name for p in folders[1].iterdir())
    assert all((folders[0] / f).read_bytes() == (folders[1] / f).read_bytes() for f in files)


def test_the_demonstration_goes_into_an_empty_folder_alone(tmp_path: Path) -> None:
    assert run("demo", cwd=tmp_path).returncode == 0
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*")}
    again = run("demo", cwd=tmp_path)
    assert again.returncode == 1
    assert b"workbench-demo/demo.workbench" in again.stderr
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_bytes(b"x")
    assert run("demo", "full", cwd=tmp_path).returncode == 1
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["mine.txt"]
    assert all(p.stat().st_mtime_ns == when for p, when in before.items() if p != tmp_path)
