"""Whether the packages that will be imported are the ones that came with this program.

`db`, `curation` and `screens` are common names: a folder or file of that name in the working directory, or another
distribution, can stand before ours on the path. Uses the standard library alone, for it runs before anything else.
"""

from __future__ import annotations

from importlib.machinery import PathFinder
from pathlib import Path

NEIGHBOURS = ("curation", "db", "screens")


def shadowed() -> tuple[str, str] | None:
    """The first of our packages that is not beside this one, as (name, where the other lies), or None."""
    home = Path(__file__).resolve().parent.parent
    for name in NEIGHBOURS:
        spec = PathFinder.find_spec(name)
        if spec is None:
            return name, ""
        if spec.origin is None or Path(spec.origin).resolve().parent != home / name:
            place = spec.origin or next(iter(spec.submodule_search_locations or ()), "")
            return name, str(place)
    return None


def complaint() -> str | None:
    """What to tell a user whose path is shadowed, or None when all is well. English and Chinese: no catalogue yet."""
    found = shadowed()
    if found is None:
        return None
    name, place = found
    if not place:
        return f"workbench: its package {name!r} is missing; install dialogue-workbench again (程序包 {name} 缺失，请重新安装)"
    return (
        f"workbench: another {name!r} stands before this program's own: {place}; run `workbench` from another folder, "
        f"or rename that one (另一个 {name} 挡住了本程序自己的，请换个目录运行)"
    )
