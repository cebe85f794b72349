"""Every open of a project file goes through here: what kind of file it is, where it lies, and how SQLite is set.

Nothing else may open a project file, not even to read its bytes: closing any other descriptor of a file that this process
has open in SQLite drops SQLite's locks (POSIX), and commits made afterwards can be lost. The header is therefore read only
*before* SQLite opens the file, and never by a process that has it open already.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path

from curation.errors import N_, BadProject

APPLICATION_ID = 0x57424344  # "WBCD"
BUSY_SECONDS = 10.0
_MAGIC = b"SQLite format 3\x00"
# What this process has open: connection (by id) -> device and inode of its file.
_open_here: dict[int, tuple[int, int]] = {}
# Held while a header is read and while a file is opened: two threads must not do one each at the same time.
_opening = threading.Lock()

# Places where SQLite's locking or its write-ahead log cannot be trusted (Linux names, as in mountinfo).
_UNSAFE_FILESYSTEMS = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "fuse.sshfs",
        "fuse.rclone",
        "afpfs",
        "davfs",
        "fuse.davfs2",
    }
)


def exists(path: Path) -> bool:
    """Whether anything lies at `path` (a dangling link counts)."""
    return os.path.lexists(path)


def storable(text: str) -> bool:
    """Whether `text` can be stored at all: half characters (lone surrogates, as bad arguments bring) cannot."""
    return not any("\ud800" <= c <= "\udfff" for c in text)


@contextmanager
def set_apart(path: Path) -> Iterator[bool]:
    """Whether this process may read the bytes of `path` now: it has it not open, and opens it not meanwhile."""
    with _opening:
        yield not path.exists() or _identity(path) not in _open_here.values()


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def check_header(path: Path, newest: int) -> int:
    """Look at a file before SQLite does. Returns its schema version; raises BadProject when it is not ours to open."""
    if not path.exists():
        raise BadProject(
            N_("there is no project at {path}; `workbench init {path}` makes one"),
            code="no_project",
            path=path,
        )
    if not path.is_file():
        raise BadProject(N_("{path} is not a file"), code="not_a_file", path=path)
    with _opening:
        if _identity(path) in _open_here.values():
            return newest
        try:
            with path.open("rb") as handle:
                header = handle.read(100)
                size = os.fstat(handle.fileno()).st_size
        except OSError as error:
            raise BadProject(
                N_("{path} cannot be opened: {reason}"), code="cannot_open", path=path, reason=error.strerror
            ) from error
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise BadProject(N_("{path} is not a workbench project"), code="db_not_ours", path=path)
    version, application = struct.unpack(">I4xI", header[60:72])
    if application != APPLICATION_ID:
        raise BadProject(
            N_("{path} is a database of another program, not a workbench project"),
            code="db_not_ours",
            path=path,
        )
    if version > newest:
        raise BadProject(
            N_("{path} was made by a newer workbench (schema {found}, this one reads up to {known}); update workbench"),
            code="db_too_new",
            path=path,
            found=version,
            known=newest,
        )
    # A copy cut short. With a write-ahead log beside it the file may rightly be behind its header.
    page, pages = struct.unpack(">H10xI", header[16:32])
    log = path.resolve().with_name(path.resolve().name + "-wal")
    if size < pages * (page if page > 1 else 65536) and not (log.exists() and log.stat().st_size):
        raise damaged(path, "cut short")
    return int(version)


def check_place(path: Path) -> None:
    """Raise BadProject when `path` lies on a network file system, where SQLite's locks are known to fail."""
    found = _filesystem(path.resolve().parent)
    if found in _UNSAFE_FILESYSTEMS or (sys.platform == "win32" and str(path.resolve()).startswith("\\\\")):
        raise BadProject(
            N_("{path} lies on a network file system ({kind}), where commits can be lost; copy it to a local folder"),
            code="unsafe_place",
            path=path,
            kind=found or "UNC",
        )


def _filesystem(folder: Path) -> str:
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    best, kind = "", ""
    for line in lines:
        left, _, right = line.partition(" - ")
        fields = left.split(" ")
        if len(fields) < 5 or not right:
            continue
        mount = fields[4].replace("\\040", " ")
        if (str(folder) == mount or str(folder).startswith(mount.rstrip("/") + "/")) and len(mount) >= len(best):
            best, kind = mount, right.split(" ")[0]
    return kind


def connect(path: Path, *, create: bool = False) -> sqlite3.Connection:
    """Open a project file. Explicit transactions only; durable on commit; nothing of the schema is trusted.

    Raises BadProject when the folder cannot be written, which SQLite would report only at the first write.
    """
    if not os.access(path.resolve().parent, os.W_OK):
        raise BadProject(
            N_("the folder {folder} cannot be written to, and a project needs room beside its file"),
            code="read_only",
            folder=path.resolve().parent,
        )
    mode = "rwc" if create else "rw"
    uri = path.resolve().as_uri() + f"?mode={mode}"
    with _opening:
        try:
            connection = sqlite3.connect(
                uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except sqlite3.OperationalError as error:
            raise BadProject(
                N_("{path} cannot be opened: {reason}"), code="cannot_open", path=path, reason=error
            ) from error
        try:
            _set(connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            raise in_words(error) or damaged(path, error) from error
        _open_here[id(connection)] = _identity(path)
    return connection


def damaged(path: Path, reason: object) -> BadProject:
    """What to say of a file that cannot be read as the project it was."""
    return BadProject(N_("{path} is damaged ({reason}); restore a backup"), code="db_corrupt", path=path, reason=reason)


def in_words(error: sqlite3.Error) -> BadProject | None:
    """What a failure of SQLite means to the one at the screen; None where it is a mistake in this program."""
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BadProject(
            N_("the project is busy: another window has been writing for {seconds} seconds; try again"),
            code="busy",
            seconds=int(BUSY_SECONDS),
        )
    if kind == sqlite3.SQLITE_FULL:
        return BadProject(N_("the disk is full: this step was not saved; make room and do it again"), code="disk_full")
    if kind in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return BadProject(
            N_("the project's file cannot be read or written ({reason}): this step was not saved"),
            code="disk_error",
            reason=error,
        )
    if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return BadProject(
            N_("the project's file is damaged ({reason}); restore a backup"), code="db_corrupt", reason=error
        )
    return None


def close(connection: sqlite3.Connection) -> None:
    """Close, folding the write-ahead log back into the file when no one else needs it."""
    # Busy means another window is writing, and its close will do it; a damaged file has other worries.
    with suppress(sqlite3.DatabaseError):
        connection.execute("PRAGMA busy_timeout=200")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    with _opening:
        _open_here.pop(id(connection), None)
        connection.close()


def _set(connection: sqlite3.Connection) -> None:
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "trusted_schema=OFF",
        "cell_size_check=ON",
        "secure_delete=ON",
        "temp_store=MEMORY",
        "mmap_size=0",
        "cache_size=-16000",
        "journal_size_limit=8000000",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """One unit of work, all of it or nothing. Takes the write lock at once; inside another one it joins it."""
    if connection.in_transaction:
        yield
        return
    try:
        _take_write_lock(connection)
        yield
        connection.execute("COMMIT")
    except BaseException as error:
        # A full or failing disk can end the transaction by itself; one left open would swallow all that follows.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        words = in_words(error) if isinstance(error, sqlite3.Error) else None
        if words is not None:
            raise words from error
        raise


def _take_write_lock(connection: sqlite3.Connection) -> None:
    """Begin writing, waiting for others up to BUSY_SECONDS.

    SQLite's own waiting looks ever more seldom, at last ten times a second: beside a window that writes without a pause
    it never meets the moment in which the lock is free. Looking every few milliseconds does.
    """
    connection.execute("PRAGMA busy_timeout=0").fetchall()
    # Of uneven length, so that two who wait do not keep meeting.
    pauses = cycle((0.0007, 0.0023, 0.0011, 0.0029, 0.0005, 0.0017))
    try:
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > until:
                    raise
            time.sleep(next(pauses))
    finally:
        connection.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}").fetchall()


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Several reads of one and the same state."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
