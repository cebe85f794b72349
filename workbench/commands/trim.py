"""`workbench trim`: how overlong dialogues could be shortened, and the decision to do so."""

from __future__ import annotations

from pathlib import Path

import click

from curation.errors import N_
from workbench import output
from workbench.options import as_option, command, json_option, opened, option, project_argument


@command(
    "trim",
    "workbench trim chats.workbench --max-turns 20\nworkbench trim chats.workbench --max-turns 20 --accept",
    N_("Proposals alone change nothing. The last turn is never cut, and never fewer than the fewest turns are left."),
)
@project_argument
@option("--max-turns", metavar="N", type=click.IntRange(1), required=True, help=N_("Most turns to keep."))
@option("--accept", is_flag=True, help=N_("Decide them as proposed."))
@as_option
@json_option
def trim(path: Path, max_turns: int, accept: bool, by: str, as_json: bool) -> int:
    """Propose, and with --accept decide."""
    from curation.errors import UsageError
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        if max_turns < project.settings.min_turns:
            raise UsageError(
                N_("this project keeps at least {count} {count:turn|turns}; give --max-turns {count} or more"),
                count=project.settings.min_turns,
            )
        proposals = project.quality.propose_trims(max_turns)
        accepted = project.quality.accept_trims(proposals, by) if accept else 0
        if as_json:
            rows = [
                {
                    "id": stored.external_id,
                    "turns_before": one.turns_before,
                    "turns_after": one.turns_after,
                    "last_turn_whole": one.last_turn_whole,
                    "kept": one.kept_turns,
                    "scores": {turn: one.scores[turn] for turn in one.kept_turns},
                    "reasons": {turn: one.reasons[turn] for turn in one.kept_turns},
                }
                for stored, one in proposals
            ]
            output.json({"proposals": rows, "accepted": accepted})
            return 0
        output.say(N_("dialogues over {turns} {turns:turn|turns}: {count}"), turns=max_turns, count=len(proposals))
        if proposals:
            heads = [N_("dialogue"), N_("turns before"), N_("turns after"), N_("begins at turn")]
            output.table(
                [gettext(head) for head in heads],
                [(s.external_id, p.turns_before, p.turns_after, p.first_turn) for s, p in proposals],
            )
        if accept:
            output.say(N_("decided now: {count}"), count=accepted)
        elif proposals:
            output.say(N_("nothing was changed; --accept decides them as proposed"))
    return 0


command = trim
