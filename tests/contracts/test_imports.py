"""What is loaded when: a light command stays light, and the heavy libraries wait for the work that needs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"presidio_analyzer", "spacy", "jieba", "opencc", "numpy", "krippendorff", "pandas", "ray", "rapidfuzz"}
STORE = {"sqlite3", "sqlite_utils", "db"}
FACES = {"textual", "rich"}
_CODE = """
import json, sys
from workbench.cli import main
status = main(sys.argv[1:])
sys.stderr.write(json.dumps([status, sorted({m.partition('.')[0] for m in sys.modules})]))
"""


def loaded(*argv: object, cwd: Path, stdin: bytes = b"") -> set[str]:
    """The top-level modules loaded after the call, which must succeed."""
    done = subprocess.run(
        [sys.executable, "-c", _CODE, *map(str, argv)],
        cwd=cwd,
        env={"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "HOME": str(cwd), "PATH": ""},
        input=stdin,
        capture_output=True,
        check=True,
    )
    status, modules = json.loads(done.stderr.decode().splitlines()[-1])
    assert status == 0, done.stderr
    return set(modules)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    loaded("demo", folder / "d", cwd=folder)
    return folder / "d" / "demo.workbench"


def test_help_loads_nothing_but_click(tmp_path: Path) -> None:
    modules = loaded("--help", cwd=tmp_path)
    assert not modules & (HEAVY | STORE | FACES | {"platformdirs", "asyncio", "dataclasses", "traceback"})


@pytest.mark.parametrize(("which", "besides"), [("pii", set()), ("normalize", {"numpy"}), ("dialect", {"numpy"})])
def test_a_filter_opens_no_store_and_no_interface(tmp_path: Path, which: str, besides: set[str]) -> None:
    modules = loaded("text", which, cwd=tmp_path, stdin=b'{"id": 1, "text": "\xe5\xa5\xbd 13912345678"}\n')
    assert not modules & (STORE | FACES | {"presidio_analyzer", "spacy", "platformdirs"} | besides)


@pytest.mark.parametrize(
    "argv",
    [
        ["status"],
        ["log"],
        ["people", "list"],
        ["assign", "screening"],
        ["check"],
        ["search", "x"],
        ["explain", "chat-001"],
        ["decisions", "export", "-"],
    ],
    ids=lambda argv: argv[0],
)
def test_looking_at_a_project_loads_no_heavy_library(project: Path, argv: list[str]) -> None:
    modules = loaded(argv[0], project, *argv[1:], cwd=project.parent)
    assert not modules & (HEAVY | FACES)


def test_importing_loads_no_heavy_library(project: Path, tmp_path: Path) -> None:
    loaded("init", "p.workbench", cwd=tmp_path)
    modules = loaded("import", "p.workbench", ROOT / "samples" / "chats.jsonl", cwd=tmp_path)
    assert not modules & (HEAVY | FACES)


def test_no_network_library_is_loaded_by_the_whole_life(tmp_path: Path) -> None:
    assert not loaded("demo", "d", cwd=tmp_path) & {"http", "requests", "httpx", "ssl", "aiohttp", "textual"}


_SCREEN = """
import sys
from pathlib import Path
from workbench.app import WorkbenchApp
app = WorkbenchApp(Path(sys.argv[1]), sys.argv[2], "zh", "screening", pace=0.0, keymap={})
app.get_default_screen()
print(*sys.modules)
"""
# What the first screen of screening has no use for before it is painted; it comes behind it, or never.
_BEHIND = {
    "db.quality",
    "db.sheet",
    "db.history",
    "db.judged",
    "db.replies",
    "curation.identifiers.scan",
    "curation.trim",
}
_BEHIND |= {"curation.normalise", "curation.work.told", "curation.statistics", "screens.quality", "screens.scoring"}
_BEHIND |= {"curation.identifiers.replace", "curation.folding", "curation.layers", "screens.reviewwords"}


def test_the_first_screen_waits_for_nothing_that_it_does_not_show(tmp_path: Path) -> None:
    from tests.bench.bench_screen import small

    path = small(tmp_path, 2)
    env = {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "HOME": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", _SCREEN, str(path), "ann"], env=env, capture_output=True, check=True, text=True
    )
    modules = set(done.stdout.split())
    assert "screens.screening" in modules
    assert not modules & _BEHIND
