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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from curation.errors import N_, BadProject

APPLICATION_ID = 0x57424344  # "WBCD"
BUSY_SECONDS = 10.0
_MAGIC = b"SQLite format 3\x00"
_open_here: dict[tuple[int, int], int] = {}

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
    if _identity(path) in _open_here:
        return newest
    with path.open("rb") as handle:
        header = handle.read(100)
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
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise BadProject(
            N_("{path} cannot be opened: {reason}"), code="cannot_open", path=path, reason=error
        ) from error
    try:
        _set(connection)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise BadProject(
            N_("{path} is damaged ({reason}); restore a backup"), code="db_corrupt", path=path, reason=error
        ) from error
    identity = _identity(path)
    _open_here[identity] = _open_here.get(identity, 0) + 1
    return connection


def close(connection: sqlite3.Connection, path: Path) -> None:
    """Close, folding the write-ahead log back into the file when no one else needs it."""
    # Busy means another window is writing; its close will do it.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    try:
        identity = _identity(path)
    except OSError:
        return
    left = _open_here.get(identity, 0) - 1
    if left > 0:
        _open_here[identity] = left
    else:
        _open_here.pop(identity, None)


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
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        raise BadProject(
            N_("the project is busy: another window has been writing for {seconds:.0f} seconds; try again"),
            code="busy",
            seconds=BUSY_SECONDS,
        ) from error
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


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
