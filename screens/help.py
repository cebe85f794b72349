"""The words of the help and of the guideline, made from the registry and the taxonomy."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from curation.taxonomy import taxonomy
from screens.keynames import shown
from screens.keytables.action import SITUATIONS, Action
from screens.locale import _, language, told

KEY_ROOM = 22


def help_words(actions: Sequence[Action]) -> str:
    """Every action of a screen with its keys, by group; those without a key are in the palette."""
    groups: dict[str, list[tuple[str, str]]] = {a.group: [] for a in actions if a.group != SITUATIONS}
    for action in actions:
        keys = " ".join(shown(key) for key in action.keys) or _("(palette)")
        rows = groups.setdefault(action.group, [])
        if action.id.startswith("digit."):
            if any(words == told(action.words) for _keys, words in rows):
                continue
            keys = "1-9 1-9"
        if action.id.startswith("situation."):
            words = next(s.name(language()) for s in taxonomy().situations if f"situation.{s.id}" == action.id)
        else:
            words = told(action.words)
        rows.append((keys, words))
    lines: list[str] = []
    for group, rows in groups.items():
        lines += [told(group), *(f"  {k}{' ' * max(KEY_ROOM - cell_len(k), 1)}{w}" for k, w in rows), ""]
    lines.append(_("↑ ↓ PgUp PgDn Home End Space scroll the dialogue. Full-width letters and digits work too."))
    lines.append(
        _(
            "On a project file that both of a pair can open, the other's answer is hidden, not protected; "
            "packets are the protected way."
        )
    )
    return "\n".join(lines)


def guideline_words(chosen: str, family: int) -> str:
    """What the situations mean: the chosen one or the family first, then all."""
    lang = language()
    known = taxonomy().situations
    first = [s for s in known if s.id == chosen or (not chosen and s.family.number == family)]
    blocks = []
    for s in [*first, *(s for s in known if s not in first)]:
        mark = "> " if s in first else ""
        zh = lang == "zh"
        blocks.append(
            "\n".join(
                (
                    f"{mark}{s.family.number} {s.place}  {s.key}  {s.name(lang)}",
                    f"  {s.definition(lang)}",
                    f"  {_('Rather another:')} {s.not_this_zh if zh else s.not_this_en}",
                    f"  {_('Example:')} {s.example_zh if zh else s.example_en}",
                )
            )
        )
    return "\n\n".join([*blocks, _("Taxonomy {version}").format(version=taxonomy().version)])
