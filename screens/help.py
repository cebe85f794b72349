"""The words of the help and of the guideline, made from the registry and the taxonomy."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from curation.taxonomy import Situation, taxonomy
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
        if action.does.startswith("digit("):
            if any(words == told(action.words) for _keys, words in rows):
                continue
            keys = "1-9 1-9"
        if action.does.startswith("situation("):
            words = taxonomy().by_id(action.id.rpartition(".")[2]).name(language())
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


def guideline_words(chosen: str, family: int, second: str = "") -> str:
    """The guideline: the situations chosen (or of the family) in full, what holds for every dialogue, then all others."""
    from curation.guidelines import guidelines

    lang = language()
    known = taxonomy().situations
    first = [s for ident in (chosen, second) for s in known if s.id == ident]
    first = first or [s for s in known if s.family.number == family]
    blocks = [_page(s, whole=True) for s in first]
    blocks.append("\n".join((_("For every dialogue"), *(f"  · {line}" for line in guidelines().criteria[lang]))))
    blocks += [_page(s, whole=False) for s in known if s not in first]
    versions = _("Taxonomy {version}").format(version=taxonomy().version)
    return "\n\n".join([*blocks, f"{versions} · {_('guidelines {version}').format(version=guidelines().version)}"])


def _page(s: Situation, *, whole: bool) -> str:
    """One situation: what it is, and which one it rather is; as a `whole` against each neighbour, with examples."""
    from curation.guidelines import guidelines

    lang = language()
    zh = lang == "zh"
    lines = [f"{'> ' if whole else ''}{s.family.number} {s.place}  {s.key}  {s.name(lang)}", f"  {s.definition(lang)}"]
    if not whole:
        return "\n".join(
            (
                *lines,
                f"  {_('Rather another:')} {s.not_this_zh if zh else s.not_this_en}",
                f"  {_('Example:')} {s.example_zh if zh else s.example_en}",
            )
        )
    page = guidelines().pages[s.id]
    for one in page.precedence:
        lines.append(
            f"  {_('or {other}?').format(other=taxonomy().by_id(one.other).name(lang))} {one.zh if zh else one.en}"
        )
    for example in (s.example_zh if zh else s.example_en, *page.examples[lang]):
        lines.append(f"  {_('Example:')} {example}")
    return "\n".join(lines)
