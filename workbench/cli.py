"""The entry point: prepares the process, runs one command, and turns whatever happened into an exit status.

Exit status: 0 done, 1 refused or found wanting, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from workbench import diagnostics, neighbours, output


def main(argv: Sequence[str] | None = None) -> int:
    """Run `workbench` with the arguments `argv` (those of the process by default). Returns the exit status."""
    os.umask(0o077)  # projects, packets, releases and reject files hold private text
    complaint = neighbours.complaint()
    if complaint is not None:
        diagnostics.tell(complaint)
        return 1
    output.prepare()
    try:
        status = _run(argv)
    finally:
        output.finish()
    return status


def _run(argv: Sequence[str] | None) -> int:
    # Not before the neighbours are known to be ours.
    from curation.errors import WorkbenchError
    from workbench import words
    from workbench.front import front

    words.begin()
    try:
        result = front.main(args=argv, prog_name="workbench", standalone_mode=False)
    except WorkbenchError as error:
        return diagnostics.report(error)
    except click.ClickException as error:
        return diagnostics.misuse(error)
    except (click.Abort, KeyboardInterrupt):
        return diagnostics.interrupted()
    except SystemExit as error:  # click's answer to a closed pipe
        return error.code if isinstance(error.code, int) else 1
    except Exception as error:
        reason = diagnostics.trouble(error)
        return diagnostics.crashed(error) if reason is None else diagnostics.hindered(reason)
    return result if isinstance(result, int) else 0
