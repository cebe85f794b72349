"""What is built: a wheel with the four packages and the samples, that works where there is no checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"workbench", "screens", "curation", "db"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the checkout, with what is installed here."""
    pytest.importorskip("hatchling", reason="needs hatchling to build")
    out = tmp_path_factory.mktemp("dist")
    code = "import sys; from hatchling.build import build_wheel; sys.stdout.write(build_wheel(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, str(out)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (found,) = out.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_holds_the_four_packages_and_nothing_else(names: list[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    assert {t for t in tops if not t.endswith(".dist-info")} == PACKAGES
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".new"))]


def test_every_file_of_the_packages_is_in_the_wheel(names: list[str]) -> None:
    kept = {".py", ".toml", ".tsv", ".tcss", ".mo", ".po", ".typed"}
    wanted = {
        p.relative_to(ROOT).as_posix() for package in PACKAGES for p in (ROOT / package).rglob("*") if p.suffix in kept
    }
    assert wanted <= set(names)
    assert {f"workbench/_samples/{p.name}" for p in (ROOT / "samples").iterdir() if p.is_file()} <= set(names)


def test_the_demonstration_runs_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(home)
    done = subprocess.run(
        [sys.executable, "-m", "workbench", "demo", "d", "--lang", "zh"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(home), "HOME": str(tmp_path), "PATH": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "d" / "release" / "dialogues.jsonl").is_file()
