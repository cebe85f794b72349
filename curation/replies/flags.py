"""What a curator must look at before a reply is scored."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curation.errors import N_
from curation.replies.echo import Spoken, echoes, repeats_itself
from curation.replies.length import visible_length
from curation.replies.refusals import (
    hinted,
    is_placeholder,
    is_refusal,
    may_be_placeholders,
    names_itself,
    speaks_of_the_task,
)
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
# And of it what has no Latin letter.
_PLAIN = re.compile(
    "[\n -@\\[-`{-~\u00a0-\u00bf“”‘’…—·\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff5e\u2600-\u27bf\U0001f300-\U0001faff]*"
)
# So many letters in a row of words are a sentence; fewer are an ok, a name, a brand.
_LATIN_SENTENCE = 12


def language_of(texts: Sequence[str]) -> str:
    """`zh` or `en`, by what most of these texts is written in; `zh` where there is nothing to tell by."""
    whole = "\n".join(texts)
    latin = len(_LATIN.findall(whole))
    # A Chinese character says as much as several letters.
    return "en" if latin and latin > 3 * len(_CHINESE.findall(whole)) else "zh"


def flags_of(
    words: Words,
    *,
    limit: int,
    dialogue: Sequence[str] | Spoken = (),
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
    everything = "\n".join(("", reply, *fields))  # each with a line end before it
    blank = may_be_placeholders(everything)
    empty = not reply or (blank and is_placeholder(reply))
    if empty:
        found.add("empty_reply")
    if (visible_length(reply) if length is None else length) > limit:
        found.add("too_long")
    if "" in fields or (blank and any(map(is_placeholder, fields))):
        found.add("empty_field")
    if uncalled:
        found.add("uncalled_field")
    # Most are Chinese throughout and hold no word of those that have to be looked into: two looks tell.
    plain = _PLAIN.fullmatch(everything) is not None
    doubtful = not plain or hinted(everything)
    if doubtful and is_refusal(everything):
        found.add("refusal")
    if doubtful and names_itself(everything):
        found.add("self_identification")
    usual = plain or _USUAL.fullmatch(everything) is not None
    if not usual and _UNSEEN.search(everything):
        found.add("control")
    if (not usual and _OTHER.search(everything)) or _strays(reply, fields, plain, dialogue_lang, prompt_lang):
        found.add("wrong_language")
    spoken = dialogue if isinstance(dialogue, Spoken) else Spoken(dialogue)
    if (not empty and (echoes(reply, spoken) or (doubtful and speaks_of_the_task(reply)))) or repeats_itself(
        reply, fields
    ):
        found.add("echo")
    return tuple(code for code in FLAGS if code in found) if found else ()


def _strays(reply: str, fields: Sequence[str], plain: bool, dialogue_lang: str, prompt_lang: str) -> bool:
    """Whether the reply is not in the language of the dialogue, or a field not in that of the prompt. `plain` says that
    there is no Latin letter in any of it.
    """
    if plain and dialogue_lang == "zh" and prompt_lang in ("zh", ""):
        return False
    return _other_language(reply, dialogue_lang) or (
        bool(prompt_lang) and any(_other_language(field, prompt_lang) for field in fields)
    )


def _other_language(text: str, wanted: str) -> bool:
    if wanted == "zh":
        return _CHINESE.search(text) is None and len(_LATIN.findall(text)) >= _LATIN_SENTENCE
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN.findall(text))
    return chinese >= 2 and chinese * 2 > latin
