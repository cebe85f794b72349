"""Opening a file that somebody else made: regular files only, never a link, a pipe, a device or a folder."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import NoReturn

from curation.errors import N_, BadInput

# What the system does not have counts as 0: Windows knows none of these but O_BINARY, the others know all but that.
_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_NOCTTY", "O_BINARY", "O_NOINHERIT"):
    _FLAGS |= getattr(os, _name, 0)


def open_regular(path: Path) -> int:
    """A descriptor open for reading on the regular file `path`.

    Raises BadInput (`not_regular_file`, `no_such_file`, `unreadable`). A named pipe does not block, because it is
    opened without waiting and then turned away.
    """
    try:
        # Where O_NOFOLLOW is missing this look ahead is all there is; where it exists the open itself decides.
        if path.is_symlink() or path.is_dir():
            _refuse_irregular(path)
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError:
        raise BadInput(N_("{file}: no such file; check the name"), code="no_such_file", file=str(path)) from None
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in (errno.ELOOP, errno.ENXIO):
            _refuse_irregular(path)
        raise unreadable(path, error) from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            _refuse_irregular(path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def unreadable(path: Path, error: Exception) -> BadInput:
    """The refusal for a file that the system does not let us read."""
    reason = getattr(error, "strerror", None) or str(error)
    return BadInput(
        N_("{file}: cannot be read ({reason}); check permissions and the disk"),
        code="unreadable",
        file=str(path),
        reason=reason,
    )


def _refuse_irregular(path: Path) -> NoReturn:
    raise BadInput(
        N_("{file}: is no regular file (a link, folder, pipe or device); give the file itself"),
        code="not_regular_file",
        file=str(path),
    )
