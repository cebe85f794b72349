"""What a curator must look at before a reply is scored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from curation.errors import N_
from curation.replies.length import visible_length
from curation.replies.refusals import is_placeholder, is_refusal, names_itself, speaks_of_the_task
from curation.work.asking import Words

# Codes, and words for people. The last two are found where the reply meets the project, not in its words.
FLAGS: dict[str, str] = {
    "too_long": N_("longer than the limit"),
    "empty_reply": N_("no reply in it"),
    "empty_field": N_("a process field is empty"),
    "uncalled_field": N_("a process field that was not asked for"),
    "refusal": N_("declines to answer"),
    "wrong_language": N_("another language than the conversation or the prompt"),
    "echo": N_("repeats the conversation or the prompt"),
    "self_identification": N_("names itself as a model"),
    "control": N_("invisible or control characters"),
    "unbound": N_("does not say which prompt it answers"),
    "stale": N_("answers another text than the dialogue has now"),
    "purged": N_("its words were destroyed"),
}

_CHINESE = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
# Scripts in which nobody here writes: kana, Hangul, Cyrillic, Arabic, Thai, Devanagari, Hebrew, Greek words.
_OTHER = re.compile(
    "[\u3041-\u3096\u30a1-\u30fa\uac00-\ud7a3\u0400-\u04ff\u0600-\u06ff\u0e00-\u0e7f\u0900-\u097f\u05d0-\u05ea]{2}"
)
# Control characters, private ones, halves of characters, and those that turn the direction of text or cannot be seen at
# all; not line ends, nor what joins emoji.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ue000-\uf8ff\ufeff]"
)
# What most replies are written with throughout: nothing of the two above is among it.
_USUAL = re.compile(
    "[\n -~\u00a0-\u017f“”‘’…—·\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff5e\u2600-\u27bf\U0001f300-\U0001faff]*"
)
_BARE = re.compile(r"[\W_]+")
# So many letters in a row of words are a sentence; fewer are an ok, a name, a brand.
_LATIN_SENTENCE = 12
_ECHO = 5
_ENDS = "。.!！?？~～…，, "
_ECHO_LONG = 12


def language_of(texts: Sequence[str]) -> str:
    """`zh` or `en`, by what most of these texts is written in; `zh` where there is nothing to tell by."""
    chinese = sum(len(_CHINESE.findall(text)) for text in texts)
    # A Chinese character says as much as several letters.
    return "en" if sum(len(_LATIN.findall(text)) for text in texts) > 3 * chinese else "zh"


def flags_of(
    words: Words,
    *,
    limit: int,
    dialogue: Sequence[str] = (),
    dialogue_lang: str = "zh",
    prompt_lang: str = "",
    uncalled: Sequence[str] = (),
    length: int | None = None,
) -> tuple[str, ...]:
    """The codes of FLAGS that the words of a reply deserve, in that order.

    `limit` is the most a reply may have of what `visible_length` counts; `dialogue` are the texts it answers and
    `dialogue_lang` their language, which is the one to reply in; `prompt_lang` is that of the process ("" for either);
    `uncalled` are process fields beyond those the mode asks for; `length` is `visible_length` of the reply, where it was
    counted already.
    """
    found: set[str] = set()
    reply, fields = words.reply, list(words.process.values())
    empty = not reply or is_placeholder(reply)
    if empty:
        found.add("empty_reply")
    if (visible_length(reply) if length is None else length) > limit:
        found.add("too_long")
    if any(not field or is_placeholder(field) for field in fields):
        found.add("empty_field")
    if uncalled:
        found.add("uncalled_field")
    everything = "\n".join([reply, *fields])
    if is_refusal(everything):
        found.add("refusal")
    if names_itself(everything):
        found.add("self_identification")
    usual = _USUAL.fullmatch(everything) is not None
    if not usual and _UNSEEN.search(everything):
        found.add("control")
    if (
        (not usual and _OTHER.search(everything))
        or _other_language(reply, dialogue_lang)
        or (prompt_lang and any(_other_language(field, prompt_lang) for field in fields))
    ):
        found.add("wrong_language")
    if (not empty and (_echoes(reply, dialogue) or speaks_of_the_task(reply))) or _repeats_itself(reply, fields):
        found.add("echo")
    return tuple(code for code in FLAGS if code in found)


def _other_language(text: str, wanted: str) -> bool:
    if wanted == "zh":
        return _CHINESE.search(text) is None and len(_LATIN.findall(text)) >= _LATIN_SENTENCE
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN.findall(text))
    return chinese >= 2 and chinese * 2 > latin


@lru_cache(maxsize=20_000)
def _bared(texts: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The bare words of a dialogue in one, and a message each: many replies are held against the same."""
    each = tuple(_BARE.sub("", text).casefold() for text in texts)
    return "".join(each), each


def _echoes(reply: str, dialogue: Sequence[str]) -> bool:
    """Whether the reply is a message of the dialogue again, or long parts of one."""
    bare = _BARE.sub("", reply).casefold()
    if len(bare) < _ECHO:
        return False
    joined, messages = _bared(tuple(dialogue))
    # All of it at once first: mostly nothing of the kind is there.
    if len(bare) < _ECHO_LONG and bare not in joined:
        return False
    for message in messages:
        if bare == message or (len(bare) >= _ECHO_LONG and bare in message):
            return True
        if len(message) >= _ECHO_LONG and message in bare:
            return True
    return False


def _repeats_itself(reply: str, fields: Sequence[str]) -> bool:
    """Whether a process field is the reply again, or two fields are the same words."""
    filled = [field.strip(_ENDS) for field in fields if len(field) >= _ECHO]
    return len(set(filled)) < len(filled) or (len(reply) >= _ECHO and reply.strip(_ENDS) in filled)
