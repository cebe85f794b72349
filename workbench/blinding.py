"""What `workbench check --blind` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curation.errors import N_
from workbench import output
from workbench.figures import number

if TYPE_CHECKING:
    from db.blindness import Blindness


def blind_json(seen: Blindness | None) -> dict[str, Any]:
    """The key of `check --json` about the blind; nothing where it was not looked at."""
    return {} if seen is None else {"blind": {"holds": seen.holds, **output.plain(seen)}}


def show_blind(seen: Blindness) -> None:
    """Say what was found."""
    from workbench.words import gettext

    if not seen.tasks:
        output.say(N_("no scoring is handed out: there is no blind to look at"))
        return
    if seen.same and seen.same_anew:
        output.say(
            N_(
                "blind: {bytes} bytes that {people} {people:person|people} can see are the same under other "
                "names and another order"
            ),
            bytes=f"{seen.bytes:,}",
            people=seen.people,
        )
    for part in seen.differing:
        output.say(N_("not blind: other names change what is seen ({part})"), part=part)
    for part in seen.leaks:
        output.say(N_("not blind: a system is named where a scorer can see it ({part})"), part=part)
    heads = [N_("CoT reply"), N_("as Reply 1"), N_("as Reply 2"), "p"]
    rows = [
        (name, int(one["first"]), int(one["second"]), number(one["p"]))
        for found in seen.sides.values()
        for name, one in found.items()
    ]
    output.table([gettext(head) for head in heads], rows)
    for name in seen.lopsided:
        output.say(N_("not blind: the sides are not balanced ({part})"), part=name)
    if seen.named_in_texts:
        output.say(
            N_(
                "{count} {count:reply names|replies name} a system or a model in {count:its|their} own words; "
                "scorers can see that"
            ),
            count=seen.named_in_texts,
        )
