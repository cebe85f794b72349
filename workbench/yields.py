"""What screening brought, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.errors import N_
from workbench import output
from workbench.figures import number

if TYPE_CHECKING:
    from curation.work.yields import Yield
    from db.project import Project

_WHY = {
    "by_both": N_("both dropped it"),
    "by_both_anew": N_("both dropped it when they decided anew"),
    "by_the_lead": N_("the lead dropped it"),
}


def show_yields(project: Project, as_json: bool) -> None:
    """Print the yield of screening."""
    found = project.yields.screening()
    if as_json:
        output.json(
            {
                "pairs": found.pairs,
                "people": found.people,
                "situations": {
                    s.situation: {
                        "either": s.either,
                        "both": s.both,
                        "standing": s.standing,
                        "retention": s.retention,
                    }
                    for s in found.situations
                },
                "dropped": found.dropped,
                "reasons": found.reasons,
                "rejected": found.rejected,
            }
        )
    else:
        _show(found)


def _table(heads: list[str], rows: list[tuple[object, ...]]) -> None:
    from workbench.words import gettext

    output.table([gettext(head) for head in heads], rows)
    output.line()


def _show(found: Yield) -> None:
    from curation.candidates import RULE_CODES
    from curation.work.screening import DROP_REASONS
    from workbench.labels import situation
    from workbench.words import gettext

    _table(
        [N_("pair"), N_("both answered"), N_("agreed blind"), N_("settled after"), N_("dropped"), N_("disputed")],
        [(p.pair, p.answered, p.agreed, p.settled, p.dropped, p.disputed) for p in found.pairs],
    )
    _table(
        [N_("name"), N_("answered"), N_("kept"), N_("the other too"), N_("agreed"), N_("seconds (median)")],
        [(p.person, p.answered, p.kept, p.both, p.agreed, number(p.median_seconds, 0)) for p in found.people],
    )
    _table(
        [N_("situation"), N_("either said it"), N_("both said it"), N_("stands"), N_("share that stands")],
        [(situation(s.situation), s.either, s.both, s.standing, number(s.retention, 2)) for s in found.situations],
    )
    output.say(
        N_(
            "Keeping complete agreement alone favours situations that are easy to tell: where the share that stands is "
            "low, the data set holds the plain cases of that situation."
        )
    )
    output.line()
    if found.dropped or found.rejected:
        rows: list[tuple[object, ...]] = [(n, gettext(_WHY[why])) for why, n in found.dropped.items()]
        rows += [
            (n, f"{gettext(N_('reason given'))}: {gettext(DROP_REASONS.get(code, code))}")
            for code, n in found.reasons.items()
        ]
        rows += [
            (n, f"{gettext(N_('rejected'))}: {gettext(RULE_CODES.get(code, code))}")
            for code, n in found.rejected.items()
        ]
        _table([N_("dropped"), N_("why")], rows)
