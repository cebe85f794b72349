"""`workbench explain`: the whole life of one dialogue, raw to release, who and when."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.errors import N_
from curation.identifiers.quasi import KIND_WORDS
from curation.identifiers.reviewing import REST_RULE
from curation.work.screening import DROP_REASONS, RAISED_WORDS
from workbench import output, reviewing
from workbench.commands.log import show_lines
from workbench.labels import label, side, situation
from workbench.masking import masked, sees_all
from workbench.options import argument, as_option, command, json_option, opened, project_argument
from workbench.story import told as story

if TYPE_CHECKING:
    from curation.work.disputes import Statement
    from db.history import Life
    from db.project import Project


@command(
    "explain",
    "workbench explain chats.workbench chat-001",
    N_("Prints the text of the dialogue; for anyone but a curator with identifiers masked."),
)
@project_argument
@argument("name", metavar="ID", help=N_("The dialogue: its id, or source:id."))
@as_option
@json_option
def explain(path: Path, name: str, by: str, as_json: bool) -> int:
    """Tell it."""
    with opened(path, by) as project:
        life = project.history.explain(name, by)
        told = _told(project, life, by)
        if as_json:
            output.json(told)
        else:
            _show(life, told)
    return 0


def _told(project: Project, life: Life, viewer: str) -> dict[str, Any]:
    """Everything that `viewer` may know of it."""
    stored = life.stored
    open_book = sees_all(project, viewer)
    key = project.dialogues.key(stored.uid)
    spans = () if open_book else project.findings.spans(key)
    # Where looking for identifiers failed nobody knows what to cover: then all of it is.
    hidden = not open_book and not stored.purged and bool(project.findings.failure(key))
    messages = []
    for one in life.messages:
        row: dict[str, Any] = {"message": one.index, "speaker": one.speaker, "kept": one.kept}
        if open_book:
            row["texts"] = one.texts
            row["edits"] = {
                layer: [{"start": s, "end": e, "replacement": r, "rule": rule} for s, e, r, rule in edits]
                for layer, edits in one.edits.items()
            }
        else:
            layer, text = next(iter(one.texts.items()))  # the lowest there is: raw, or what a purge left
            row["texts"] = {} if hidden else {layer: masked(one.index, text, spans)}
        messages.append(row)
    statements = project.history.statements(stored.uid, viewer)
    return {
        "id": stored.external_id,
        "source": stored.source,
        "version": stored.version,
        "stage": stored.stage,
        "purged": stored.purged,
        "rejected": stored.code or None,
        "release_id": life.release_id or None,
        "answers": [_answer(s) for s in statements if s.round],
        "ruling": next((_answer(s) for s in statements if not s.round), None),
        "sent_back": project.disputes.note(stored.uid, viewer),
        "raised": [
            {"by": r.person, "kind": r.kind, "note": r.note, "outcome": r.outcome or None, "answer": r.answer or None}
            for r in project.raising.of(stored.uid, viewer)
        ],
        "findings": [
            {"message": f.message, "start": f.start, "end": f.end, "type": f.type, "accepted": f.accepted}
            for f in life.findings
        ],
        "undecided": life.undecided,
        "review": _review(project, life, viewer, open_book),
        "quasi_kinds": list(life.quasi),
        "dialect": _dialect(life, open_book),
        "hidden": hidden,
        "messages": messages,
        "final": [{"turn": m.turn, "party": m.party, "text": m.text} for m in life.final] if open_book else None,
        "story": project.stories.of(stored.uid) if open_book else None,
        "log": life.lines,
    }


def _answer(statement: Statement) -> dict[str, Any]:
    """One answer; a second choice and a reason for dropping only where there is one."""
    given = statement.answer
    row: dict[str, Any] = {"by": statement.person, "keep": given.keep, "situation": given.situation}
    row |= {"rationale": given.rationale, **({"round": statement.round} if statement.round else {})}
    return row | {name: value for name, value in (("second", given.second), ("reason", given.reason)) if value}


def _review(project: Project, life: Life, viewer: str, open_book: bool) -> dict[str, Any] | None:
    """What the review of its identifiers amounts to; None where nobody began one."""
    told = reviewing.told(project.reviews.page(life.stored.uid, viewer), open_book=open_book)
    return told if any(told.values()) else None


def _dialect(life: Life, open_book: bool) -> dict[str, Any] | None:
    """The dialect as far as it is known; the words that say so only for those who may read the text."""
    known = life.dialect
    if known is None:
        return None
    facts = {"tag": known.tag, "machine": known.machine or None, "confidence": known.confidence, "by": known.by or None}
    return {**facts, "evidence": output.plain(known.evidence)} if open_book else facts


def _show(life: Life, told: dict[str, Any]) -> None:
    from workbench.words import gettext

    stored = life.stored
    output.say(
        N_("dialogue {id} of {source}, version {version}: {stage}"),
        id=stored.external_id,
        source=stored.source,
        version=stored.version,
        stage=label(stored.stage.value),
    )
    if stored.code:
        from curation.candidates import RULE_CODES

        reason = gettext(RULE_CODES.get(stored.code, ""))
        output.say(N_("rejected: {code}, {reason}"), code=stored.code, reason=reason)
    if stored.purged:
        output.say(N_("its originals were destroyed; what stands here is the text that was approved"))
    if life.release_id:
        output.say(N_("its public name: {name}"), name=life.release_id)
    output.line()
    show_lines(list(life.lines))
    for answer in told["answers"]:
        _say_answer(N_("{by}: {verdict} {situation} {rationale}"), answer)
    if told["ruling"]:
        _say_answer(N_("{by} ruled: {verdict} {situation} {rationale}"), told["ruling"])
    sent = told["sent_back"]
    if sent is not None and sent.text != "" and told["story"] is None:  # the story tells it, too
        note = sent.text if sent.text is not None else gettext(N_("sealed"))
        output.say(N_("{by} sent it back: {note}"), by=sent.person, note=note)
    for one in told["raised"]:
        output.say(
            N_("{by} raised: {kind}. {note}"),
            by=one["by"],
            kind=gettext(RAISED_WORDS[one["kind"]]),
            note=one["note"] if one["note"] is not None else gettext(N_("sealed")),
        )
    output.line()
    output.say(N_("identifiers decided: {count}, waiting: {waiting}"), count=len(life.findings), waiting=life.undecided)
    _show_findings(life, told)
    if told["review"]:
        reviewing.show(told["review"])
    if life.quasi:
        kinds = ", ".join(gettext(KIND_WORDS[kind]) for kind in life.quasi)
        output.say(
            N_("kinds of personal detail that were replaced: {count} ({kinds})"), count=len(life.quasi), kinds=kinds
        )
    _show_dialect(told["dialect"])
    output.line()
    if told["hidden"]:
        output.say(N_("this dialogue could not be looked through for identifiers; only a curator sees it"))
    elif told["story"] is not None and not stored.purged:
        for line in story(told["story"]):
            output.line(line)
    else:
        heads = [gettext(N_("no.")), gettext(N_("speaker")), gettext(N_("layer")), gettext(N_("text"))]
        output.table(heads, _rows(told))


def _say_answer(template: str, answer: dict[str, Any]) -> None:
    from workbench.words import gettext

    words = gettext(N_("keep")) if answer["keep"] else gettext(N_("drop"))
    if answer.get("reason"):
        words += f" ({gettext(DROP_REASONS[answer['reason']])})"
    if answer.get("round") == 2:
        words = f"{gettext(N_('anew'))} {words}"
    of = situation(answer["situation"] or "")
    if answer.get("second"):
        of += " / " + situation(answer["second"])
    output.say(template, by=answer["by"], verdict=words, situation=of, rationale=answer["rationale"])


def _show_findings(life: Life, told: dict[str, Any]) -> None:
    """Each decided identifier with why it was found; what it says only for those who may read it."""
    from workbench.words import gettext

    raw = {m["message"]: m["texts"].get("raw", "") for m in told["messages"] if "edits" in m}
    rows = [
        reviewing.finding_row(
            f.message,
            f.type,
            "accepted" if f.accepted else "rejected",
            f.rule,
            raw[f.message][f.start : f.end] if f.message in raw else "",
        )
        for f in life.findings
        if f.rule != REST_RULE
    ]
    if rows:
        heads = (N_("no."), N_("what kind"), N_("decision"), N_("why"), N_("text"))
        output.table([gettext(head) for head in heads], rows)


def _show_dialect(known: dict[str, Any] | None) -> None:
    from screens.names import dialect

    if known is None:
        output.say(N_("dialect: not looked at yet, or not as it would be today; `workbench normalize` does"))
        return
    name = dialect(known["tag"])
    if known["by"]:
        output.say(N_("dialect: {name}, said {by}"), name=name, by=known["by"])
    else:
        output.say(N_("dialect: {name}, by its words ({sure} sure)"), name=name, sure=f"{known['confidence']:.0%}")
    words = dict.fromkeys(f"{e['word']} = {e['gloss']}" for e in known.get("evidence", ()))
    if words:
        output.say(N_("words: {words}"), words="; ".join(words))


def _rows(told: dict[str, Any]) -> list[tuple[object, ...]]:
    """Each message: its raw text, then each layer that changed it; what trimming took away is said.

    A purge leaves the sides and not what they were called in the file.
    """
    rows: list[tuple[object, ...]] = []
    for message in told["messages"]:
        for layer, text in message["texts"].items():
            first = layer in ("raw", "approved")
            named = side(message["speaker"]) if told["purged"] else message["speaker"]
            number, speaker = (message["message"] + 1, named) if first else ("", "")
            rows.append((number, speaker, label(layer), text))
        if not message["kept"]:
            rows.append(("", "", label("trimmed"), "-"))
    return rows


command = explain
