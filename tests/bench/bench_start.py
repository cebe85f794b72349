"""How dear is `workbench --help`? CPU seconds of the whole process against `python -c "import click"`, in pairs.

    python tests/bench/bench_start.py [RUNS]

Prints both medians and their ratio. The command should cost at most twice the baseline.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys


def cpu_seconds(command: list[str]) -> float:
    """User and system time of one run of `command`, from the operating system's own account."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} exited with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main(runs: int = 15) -> None:
    """Time the two in turn, after one warm-up of each."""
    baseline = [sys.executable, "-c", "import click"]
    ours = [sys.executable, "-c", "import sys; from workbench.cli import main; sys.exit(main(['--help']))"]
    times: dict[str, list[float]] = {"import click": [], "workbench --help": []}
    for run in range(runs + 1):
        for name, command in (("import click", baseline), ("workbench --help", ours)):
            spent = cpu_seconds(command)
            if run:
                times[name].append(spent)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, value in medians.items():
        sys.stdout.write(f"{name:18} {value * 1000:7.1f} ms CPU, median of {runs}\n")
    ratio = medians["workbench --help"] / medians["import click"]
    sys.stdout.write(f"ratio {ratio:.2f} (at most 2)\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
