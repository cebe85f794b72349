"""Which dialect a message or a dialogue is in, and the words that say so.

    identify(["你在爪子嘛", "等哈儿来耍"])     southwestern, with 在爪子, 等哈儿, 来耍 as evidence

Evidence comes first: words of the lexicons, whose strengths add up, each word counted once. A tag needs as much as one
strong word, or two of middling strength; weak words help but never decide, and where two dialects are equal neither is
named. Where the words of one lead without reaching the mark, a small trained model may lend weight (`opinion`). All else
is `mandarin`, in whichever characters it is written: no tag is given without words to show for it.

A dialogue is weighed like one message: all its words add up, each once however often it comes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from curation import segment
from curation.dialects.lexicon import DIALECTS, MANDARIN, Entry, Hit, find
from curation.dialects.opinion import SURE, second_opinion
from curation.errors import N_

__all__ = [
    "DIALECTS",
    "DIALECT_VERSION",
    "LIMITS",
    "MANDARIN",
    "DialogueDialect",
    "Evidence",
    "MessageDialect",
    "gloss",
    "identify",
    "limits",
]

DIALECT_VERSION = "dialects-1"

# What a word of strength 1, 2, 3 weighs, and what is needed for a tag.
WEIGHTS = (0.0, 0.75, 1.5, 3.0)
ENOUGH = 3.0
# Weak words are found in plain Mandarin too, the more the longer a text is: no more than this many count.
WEAK_AT_MOST = 2
# What the second opinion adds: as much as a word of middling strength.
OPINION = 1.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """A dialect word: `text[start:end] == word`. `gloss` says it in standard Mandarin."""

    start: int
    end: int
    word: str
    dialect: str
    gloss: str


@dataclass(frozen=True, slots=True)
class MessageDialect:
    """The tag of one message, how sure it is (0 to 1), and its dialect words, in order and disjoint."""

    tag: str
    confidence: float
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class DialogueDialect:
    """The tag of a dialogue, how sure it is (0 to 1), and its messages, one for each text given."""

    tag: str
    confidence: float
    messages: tuple[MessageDialect, ...]


# What an installation cannot do, or not well: code, and the words for people (English template).
LIMITS: dict[str, str] = {
    "dialects_not_aligned": N_("dialect words are not checked against word boundaries, for want of jieba"),
}


def limits() -> list[str]:
    """The codes of what this installation cannot do; `LIMITS` has the words. Empty when nothing is missing."""
    return [] if segment.available() else ["dialects_not_aligned"]


def _scores(found: Iterable[Hit]) -> dict[str, float]:
    """The weight of the words for each dialect, each word counted once."""
    scores: dict[str, float] = {}
    weak: Counter[str] = Counter()
    seen: set[str] = set()
    for hit in found:
        if hit.word in seen:
            continue
        seen.add(hit.word)
        for entry in hit.entries:
            if entry.strength == 1:
                weak[entry.dialect] += 1
                if weak[entry.dialect] > WEAK_AT_MOST:
                    continue
            scores[entry.dialect] = scores.get(entry.dialect, 0.0) + WEIGHTS[entry.strength]
    return scores


def _decided(scores: dict[str, float], opinion: Callable[[str], float] | None) -> tuple[str, float]:
    """The tag, and how sure it is. `opinion`, where there is one, is asked about the dialect that leads."""
    if not scores:
        return MANDARIN, 0.99
    ranked = sorted(scores.items(), key=lambda item: (-item[1], DIALECTS.index(item[0])))
    best, score = ranked[0]
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    helped = opinion is not None and second < score < ENOUGH and opinion(best) > SURE
    score += OPINION * helped
    if score < ENOUGH or score == second:
        # The nearer to the mark, the less sure that it is Mandarin after all.
        return MANDARIN, round(max(0.5, 0.99 - 0.49 * score / ENOUGH), 2)
    # One strong word is right about 19 times in 20; more of them, and nothing for another dialect, make it surer.
    lead = (score - second) / score
    return best, round(min(0.8 if helped else 0.99, 0.6 + 0.35 * lead + 0.01 * (score - ENOUGH)), 2)


def _evidence(found: Sequence[Hit], tag: str, whole: str, scores: dict[str, float]) -> tuple[Evidence, ...]:
    """The words, each under the message's tag or the dialogue's where it speaks for it, else where it says most."""

    def worth(entry: Entry) -> tuple[bool, bool, int, float]:
        return entry.dialect == tag, entry.dialect == whole, entry.strength, scores.get(entry.dialect, 0.0)

    result = []
    for hit in found:
        entry = max(hit.entries, key=worth)
        result.append(Evidence(hit.start, hit.end, hit.word, entry.dialect, entry.gloss))
    return tuple(result)


def identify(texts: Sequence[str], *, opinion: Callable[[str, str], float] = second_opinion) -> DialogueDialect:
    """The dialect of every one of `texts`, the messages of one dialogue in order, and of the dialogue.

    Any strings are taken. `opinion` gives the log odds of a text and a dialect; another may stand in for the trained one.
    Without jieba, words are not checked against word boundaries; `limits` says so.
    """
    aligned = segment.available()
    founds = [find(text, aligned) for text in texts]
    scores = [_scores(found) for found in founds]
    decided = [_decided(one, partial(opinion, text)) for one, text in zip(scores, texts, strict=True)]
    if len(texts) == 1:
        ((tag, confidence),) = decided
    else:
        whole = _scores(hit for found in founds for hit in found)
        # The second opinion is on messages, and among many one looks like a dialect by chance: twice is needed here.
        helped = Counter(t for (t, _), one in zip(decided, scores, strict=True) if one.get(t, ENOUGH) < ENOUGH)
        for dialect, times in helped.items():
            if times > 1:
                whole[dialect] += OPINION
        tag, confidence = _decided(whole, None)
    messages = [
        MessageDialect(t, sure, _evidence(found, t, tag, one))
        for (t, sure), found, one in zip(decided, founds, scores, strict=True)
    ]
    return DialogueDialect(tag, confidence, tuple(messages))


_ASIDE = re.compile(r"\([^()]*\)")


def gloss(text: str) -> str:
    """`text` with its dialect words said in standard Mandarin, as a help to the reader and never as text to keep."""
    (message,) = identify([text]).messages
    parts, last = [], 0
    for one in message.evidence:
        said = _ASIDE.sub("", one.gloss).split("/")[0]
        parts += [text[last : one.start], said or one.word]
        last = one.end
    return "".join([*parts, text[last:]])
