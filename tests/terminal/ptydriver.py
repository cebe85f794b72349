"""Drives the program in a pseudo-terminal of its own: sends bytes, collects bytes, sends signals."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parents[2]
START = """
import sys
from pathlib import Path
from workbench.terminal import open_interface
path, person, lang, start = sys.argv[1:]
sys.exit(open_interface(Path(path), person, lang, start))
"""

# What Textual itself writes: SGR, cursor, modes, queries. Anything else did not come from us.
_OURS = re.compile(
    rb"\x1b\[[0-9;:]*[mHJKABCDGrt]|\x1b\[[?>=<][0-9;$]*[a-zA-Z]|\x1b\[[?0-9;$]*[pucnq]|\x1b[78=>M]"
    rb"|\x1b\[[0-9 ]*q|\x1b\[6n|\x1b\[!p"
    rb"|\x1b\]22;[a-z]*\x1b\\|\x1b\]22;[a-z]*\x07|\x1b\[\?[0-9;$]*[a-zA-Z]|\x1b_G[^\x1b]*\x1b\\|\x1bP[^\x1b]*\x1b\\"
)


class Terminal:
    """The program in a terminal of `rows` by `columns`. Everything it wrote is in `output`."""

    def __init__(
        self,
        path: Path,
        person: str = "ann",
        *,
        lang: str = "en",
        start: str = "screening",
        rows: int = 24,
        columns: int = 80,
        home: Path,
        code: str = START,
        env: dict[str, str] | None = None,
    ) -> None:
        self.output = b""
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            **(env or {}),
        }
        arguments = [sys.executable, "-W", "error", "-c", code, str(path), person, lang, start]
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(home)
            os.execve(sys.executable, arguments, environ)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            self.end(5)
        os.close(self._fd)

    def read(self, seconds: float) -> bytes:
        """What arrives in the next `seconds`."""
        until = time.monotonic() + seconds
        got = b""
        while (left := until - time.monotonic()) > 0:
            ready, _w, _x = select.select([self._fd], [], [], left)
            if ready:
                try:
                    data = os.read(self._fd, 65536)
                except OSError:
                    break
                if not data:
                    break
                got += data
        self.output += got
        return got

    def wait_for(self, words: str, seconds: float = 15.0) -> bytes:
        """Read until `words` arrive. AssertionError when they do not."""
        until = time.monotonic() + seconds
        got = b""
        while time.monotonic() < until:
            got += self.read(0.05)
            if words.encode() in plain(got):
                return got
        raise AssertionError(f"{words!r} never came; the last was {plain(got)[-2000:].decode(errors='replace')}")

    def send(self, data: bytes | str) -> None:
        """Type."""
        os.write(self._fd, data.encode() if isinstance(data, str) else data)

    def signal(self, number: int) -> None:
        """Send a signal."""
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """Close the terminal under the program."""
        os.close(self._fd)
        self._fd = os.open(os.devnull, os.O_RDONLY)

    def end(self, seconds: float = 15.0) -> int:
        """Wait for the end. Returns the exit status, or minus the signal that ended it."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
            self.read(0.05)
        raise AssertionError("the program did not end")


def plain(output: bytes) -> bytes:
    """Output without the sequences that position and style, so that words stand together."""
    return _OURS.sub(b"", output)


def foreign(output: bytes) -> list[bytes]:
    """Escape sequences and control bytes in `output` that are not the interface's own."""
    rest = _OURS.sub(b"", output)
    return re.findall(rb"[\x00-\x06\x08\x0b\x0c\x0e-\x1f\x7f][^\x1b]{0,20}|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]", rest)
