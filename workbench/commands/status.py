"""`workbench status`: where the project stands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from curation.errors import N_
from curation.work import Status
from curation.work.scoring import ScoringProgress
from workbench import output
from workbench.labels import label
from workbench.options import as_option, command, json_option, opened, project_argument


@command("status", "workbench status chats.workbench --json")
@project_argument
@as_option
@json_option
def status(path: Path, by: str, as_json: bool) -> int:
    """Print stages, people, work and sources."""
    with opened(path, by) as project:
        found = project.status()
        quasi = project.quality.quasi_kinds()
        scoring = {name: done for name in found.people if (done := project.scoring.progress(name)).assigned}
    from curation.identifiers import limits

    if as_json:
        counts = {
            name: {"assigned": one.assigned, "closed": one.closed, "left": one.left, "skipped": one.skipped}
            for name, one in scoring.items()
        }
        output.json({**output.plain(found), "scoring": counts, "quasi_kinds": quasi, "not_looked_for": limits()})
    else:
        _show(found)
        _show_scoring(scoring)
        _show_identifiers(found, quasi)
    return 0


def _show_scoring(scoring: Mapping[str, ScoringProgress]) -> None:
    from workbench.words import gettext

    if scoring:
        output.line()
        output.table(
            [gettext(head) for head in (N_("scoring"), N_("assigned"), N_("closed"), N_("left"), N_("skipped"))],
            [(name, one.assigned, one.closed, one.left, one.skipped) for name, one in scoring.items()],
        )


def _show_identifiers(found: Status, quasi: Mapping[int, int]) -> None:
    from curation.identifiers import LIMITS, SECOND_LOOK, limits
    from workbench.words import gettext

    output.line()
    if count := found.work.get("not_scanned"):
        output.say(
            N_("could not be searched for identifiers: {count} (they cannot be approved; run scrub again)"), count=count
        )
    if count := sum(dialogues for kinds, dialogues in quasi.items() if kinds >= SECOND_LOOK):
        output.say(
            N_("dialogues with {least} kinds of personal detail or more, for a second look: {count}"),
            least=SECOND_LOOK,
            count=count,
        )
    if count := found.work.get("purged"):
        output.say(N_("purged, with their approved text alone: {count}"), count=count)
    missing = "; ".join(gettext(LIMITS[code]) for code in limits())
    if missing:
        output.say(N_("this installation could not look for everything: {what}"), what=missing)


def _show(found: Status) -> None:
    from workbench.words import gettext

    total = sum(found.stages.values())
    output.say(N_("dialogues: {count}"), count=total)
    stages = [(label(stage), count) for stage, count in found.stages.items() if count]
    if stages:
        output.table([gettext(N_("stage")), gettext(N_("dialogues"))], stages)
    if found.rejected:
        from curation.candidates import RULE_CODES

        output.line()
        output.table(
            [gettext(N_("rejected")), gettext(N_("code")), gettext(N_("reason"))],
            [(n, code, gettext(RULE_CODES.get(code, ""))) for code, n in found.rejected.items()],
        )
    if found.dialects:
        from screens.names import dialect

        output.line()
        rows = [(n, dialect(tag)) for tag, n in found.dialects.items()]
        output.table([gettext(N_("dialogues")), gettext(N_("dialect"))], rows)
    if found.sources:
        output.line()
        heads = [N_("source"), N_("dialogues"), N_("messages"), N_("approval"), N_("until")]
        output.table(
            [gettext(head) for head in heads],
            [
                (
                    name,
                    facts["dialogues"],
                    facts["messages"],
                    facts["terms"].get("approval", ""),
                    facts["terms"].get("until", ""),
                )
                for name, facts in found.sources.items()
            ],
        )
    output.line()
    heads = [
        N_("name"),
        N_("role"),
        N_("assigned"),
        N_("decided"),
        N_("left"),
        N_("skipped"),
        N_("waiting for the other"),
    ]
    figures = ("assigned", "decided", "left", "skipped", "waiting")
    output.table(
        [gettext(head) for head in heads],
        [(name, label(facts["role"]), *(facts[f] for f in figures)) for name, facts in found.people.items()],
    )


command = status
