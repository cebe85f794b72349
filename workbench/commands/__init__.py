"""The commands, one module each.

This table is all that `workbench --help` reads: a module is imported when its command is called. The module of `x` is
`workbench.commands.x` (an underscore is added where the name is a word of Python, and stands for a hyphen) and holds it
as `command`.
"""

from __future__ import annotations

from keyword import iskeyword

from curation.errors import N_

COMMANDS: dict[str, str] = {
    "demo": N_("Make a sample project and carry it to a release."),
    "init": N_("Make a new, empty project."),
    "settings": N_("Show or change what a project is set to."),
    "import": N_("Take in files of raw dialogues, in any supported format."),
    "candidates": N_("Apply the candidate rules; find near duplicates."),
    "people": N_("Add, list, pair and retire people."),
    "assign": N_("Hand work to people."),
    "screen": N_("Open the interface at one person's screening."),
    "reopen": N_("Have decided anew what was decided under an older guideline."),
    "expert": N_("Open the interface at one expert's desk."),
    "score": N_("Open the interface at one person's scoring."),
    "decisions": N_("Decisions as JSON lines, in and out."),
    "scrub": N_("Decide on identifiers; replace what is accepted."),
    "review": N_("Open the interface at the review of identifiers."),
    "normalize": N_("Normalise the text of agreed dialogues."),
    "trim": N_("Propose how to shorten overlong dialogues."),
    "rewrite": N_("Rewrite one message, with a reason; sign that."),
    "approve": N_("Approve dialogues that have nothing open."),
    "send-back": N_("Send a dialogue back to screening, with a note."),
    "sample": N_("Draw the dialogues that are answered and scored."),
    "prompts": N_("Write prompts to run elsewhere, as JSON lines."),
    "systems": N_("Who answers, and how far each has come."),
    "replies": N_("Take in what systems wrote; measure it."),
    "scores": N_("What the scores amount to; end the scoring."),
    "export": N_("Write the release, or a raw copy."),
    "training": N_("Training on dialogues with a known answer."),
    "inbox": N_("Comments and rulings that came to someone, and replies."),
    "quota": N_("How many of each situation are wanted, and the work left."),
    "agreement": N_("How far people agree, and on what they do not."),
    "status": N_("Show where the project stands."),
    "search": N_("Find dialogues by text."),
    "explain": N_("Tell the whole life of one dialogue."),
    "log": N_("Show what was done by whom; take something back."),
    "purge": N_("Destroy the originals of approved dialogues."),
    "check": N_("Check the file, its log, and tables against it."),
    "backup": N_("Write a whole copy of the project."),
    "text": N_("Filters on JSON lines that need no project."),
    "stats": N_("Agreement and ratings of a plain table."),
}


def module_name(name: str) -> str:
    """The module that holds the command `name`."""
    return f"workbench.commands.{name}_" if iskeyword(name) else f"workbench.commands.{name.replace('-', '_')}"
