"""The measures of what systems wrote, for `workbench replies --measures`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from curation.errors import N_
from workbench import output

if TYPE_CHECKING:
    from curation.measures import Measured, Similarity
    from db.project import Project


def measures(
    project: Project, system: str | None, mode: str | None, embeddings: Path | None
) -> tuple[list[Measured], list[Similarity]]:
    """The measures of the texts that stand (flagged or not) of one system and mode, or of all."""
    from curation.measures import Embeddings, TfIdf, measured, process_text, similarity
    from curation.work.asking import COT, DIRECT

    if system is not None:
        project.systems.get(system)
    sample = project.samples.get()
    place = {item.uid: item.place for item in sample.items}
    found = sorted((r for r in project.replies.all() if r.uid in place), key=lambda r: place[r.uid])
    texts: dict[tuple[str, str], dict[str, str]] = {}
    for reply in found:
        texts.setdefault((reply.system, reply.mode), {})[reply.uid] = reply.words.reply
        if reply.mode == COT:
            texts.setdefault((reply.system, "process"), {})[reply.uid] = process_text(reply.words.process)
    method = (
        Embeddings(embeddings) if embeddings is not None else TfIdf(t for part in texts.values() for t in part.values())
    )
    names = [one.name for one in project.systems.all() if system in (None, one.name)]
    parts = ("process", *(m for _, m in texts if m != "process"))
    order = [p for p in dict.fromkeys(("process", COT, DIRECT, *sorted(parts))) if mode in (None, p)]
    figures = [
        measured(name, part, [text for text in texts[name, part].values() if text])
        for name in names
        for part in order
        if (name, part) in texts
    ]
    alike = []
    for name in names:
        process = texts.get((name, "process"), {})
        for to in (COT, DIRECT):
            pairs = {u: (process[u], text) for u, text in texts.get((name, to), {}).items() if u in process}
            if pairs and mode in (None, to):
                alike.append(similarity(name, to, method, pairs))
    return figures, alike


def show_measures(
    project: Project, system: str | None, mode: str | None, embeddings: Path | None, as_json: bool
) -> int:
    """Print them."""
    from curation.measures import RICHNESS, WINDOW

    figures, alike = measures(project, system, mode, embeddings)
    if as_json:
        rows = [{k: v for k, v in output.plain(one).items() if k != "values"} for one in alike]
        output.json({"richness": RICHNESS, "window": WINDOW, "texts": figures, "similarity": rows})
        return 0
    from workbench.words import gettext

    if not figures:
        output.say(N_("there are no replies to measure yet"))
        return 0
    heads = [
        N_("system"),
        N_("text"),
        N_("texts"),
        N_("characters"),
        N_("words"),
        N_("MATTR"),
        N_("entropy"),
        N_("evenness"),
        N_("richness"),
    ]
    output.table(
        [gettext(head) for head in heads],
        [
            (
                one.system,
                gettext(N_("process")) if one.part == "process" else one.part,
                one.n,
                *map(_figure, (one.characters, one.words, one.mattr, one.entropy, one.evenness, one.richness)),
            )
            for one in figures
        ],
    )
    output.say(N_("richness: {formula}"), formula=RICHNESS)
    if alike:
        output.line()
        heads = [N_("system"), N_("process and"), N_("pairs"), N_("mean"), N_("sd"), N_("quartiles")]
        output.table(
            [gettext(head) for head in heads],
            [
                (s.system, s.to, s.n, _figure(s.mean), _figure(s.sd), " ".join(map(_figure, s.quartiles or ())))
                for s in alike
            ],
        )
        output.say(N_("similarity: cosine, {method}"), method=alike[0].method)
    return 0


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
