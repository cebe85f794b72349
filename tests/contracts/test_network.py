"""Nothing opens a connection: the whole life runs with sockets that refuse to be made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_CODE = """
import socket, sys

def refuse(*_, **__):
    raise SystemExit('a socket was opened')

socket.socket = socket.create_connection = socket.socketpair = socket.getaddrinfo = refuse
from workbench.cli import main
sys.exit(main(sys.argv[1:]))
"""


def call(folder: Path, *argv: str, stdin: bytes = b"") -> int:
    done = subprocess.run(
        [sys.executable, "-c", _CODE, *argv],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "HOME": str(folder), "LC_ALL": "C.UTF-8", "PATH": ""},
        input=stdin,
        capture_output=True,
    )
    assert b"a socket was opened" not in done.stderr
    return done.returncode


def test_the_refusal_works(tmp_path: Path) -> None:
    code = _CODE.replace("from workbench.cli import main", "import socket; socket.socket()")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True)
    assert b"a socket was opened" in done.stderr


def test_the_whole_life_opens_no_socket(tmp_path: Path) -> None:
    assert call(tmp_path, "demo", "d") == 0
    assert call(tmp_path, "check", "d/demo.workbench") == 0
    assert call(tmp_path, "text", "pii", stdin=b'{"id": 1, "text": "x"}\n') == 0
    assert call(tmp_path, "text", "normalize", stdin=b'{"id": 1, "text": "x"}\n') == 0
