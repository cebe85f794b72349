"""What a model wrote, to the words it says. What is broken is put right where it can be read in one way only.

Valid JSON is taken as it is. Anything else is made straight (`straight`), repaired (json-repair), and then held against
the text it came from: every key that stands there, once and in its order, and between two keys nothing but the value. A
repair that drops, joins, cuts or invents anything is refused, and so is whatever could be read in two ways.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from curation.errors import N_, MissingExtra
from curation.readers import strict
from curation.readers.limits import RecordError, shown
from curation.replies.keys import REPLY, anchor, asked_for, is_asked_for, part_of, swallowed
from curation.replies.refusals import is_refusal
from curation.replies.straight import straighten
from curation.work.asking import DIRECT, Words, fields_of

# What can have been put right, and words for people.
MENDED: dict[str, str] = {
    "thinking": N_("thoughts before the answer left aside"),
    "fence": N_("taken out of a code fence"),
    "prose": N_("taken out of the prose around it"),
    "encoded_twice": N_("JSON inside a JSON string"),
    "escaped": N_("escaped quotes or entities undone"),
    "in_list": N_("a list of one object"),
    "repeated": N_("the same thing said twice, taken once"),
    "punctuation": N_("Chinese or full-width quotes, commas, colons or braces"),
    "single_quotes": N_("other quotes than JSON's"),
    "inner_quotes": N_("quotes inside a value not escaped"),
    "line_breaks": N_("line breaks inside a value not escaped"),
    "repaired": N_("commas, braces, quotes or comments of the JSON"),
    "unclosed": N_("the last brace is missing"),
    "lines": N_("lines with headings instead of JSON"),
    "bare_text": N_("the reply alone, without JSON"),
    "renamed_key": N_("a key under another name"),
    "missing_key": N_("a process field is not there"),
    "extra_key": N_("a key that was not asked for, left aside"),
    "nested": N_("objects inside the object"),
    "joined": N_("several parts of a field, joined"),
    "null": N_("null, read as empty"),
}

_THOUGHT = re.compile(r"<(think(?:ing)?|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[^\n`]*\n?|~~~[^\n]*\n?|`{3,}")
_AROUND = re.compile(r"</[^<>\s]+>|(?:回复|回答|response|reply|answer)[^:：\n]{0,4}[:：]", re.IGNORECASE)
_LONGEST_BARE = 200
_STRUCTURE = "\"“”＂'‘’`「」『』\\ \t\r\n"
_ENDS = "{}[]｛｝［］,，、;；:："
_LIST_MARK = re.compile(r"\n[\s*#>\-\d.、)）]*$")
# What headings are dressed with.
_MARKS = ' \t\r\n*#->`【】[]"“”'
_COMMENT = re.compile(r"(?<=[\"”'’」,，\s])(?://[^\n]*|/\*.*?\*/)", re.DOTALL)
_QUOTE_LAST = re.compile(r"\"[\s,]*$")
_QUOTE_TO_QUOTE = re.compile(r"[\"＂`]\W{0,4}[\"＂`]")
_OPENS = re.compile(r"[\[{]\s*[\"＂`]|/\*|\*/")
_NOTHING = ("null", "None", "nil")
# A quote that closes, a comma, a few words, a colon and a quote: the edge of two members, whatever else is lost.
_EITHER_QUOTE = "[\"“”＂'‘’`「」『』]"
_MEMBERS_EDGE = re.compile(
    rf"{_EITHER_QUOTE}\s*[,，、;；]\W{{0,3}}[^\"“”＂'‘’`「」『』]{{1,30}}?"
    rf"(?:[:：＝=]\W{{0,3}}{_EITHER_QUOTE}|{_EITHER_QUOTE}\W{{0,3}}[:：＝=])"
)
_DOUBTFUL = frozenset({"punctuation", "single_quotes", "inner_quotes"})


@dataclass(frozen=True, slots=True)
class Understood:
    """The words of a reply, and the codes of MENDED that say what was put right to read them. `uncalled` are process
    fields that this mode does not ask for and that are there all the same.
    """

    words: Words
    mended: tuple[str, ...] = ()
    uncalled: tuple[str, ...] = ()


def read_words(content: str | Mapping[str, Any], mode: str) -> Understood:
    """The words that `content` says: a model's output as it came, or an object that was parsed already.

    Raises RecordError: `no_object`, `no_reply`, `several_objects`, `several_replies`, `duplicate_key`, `truncated`,
    `not_text`, `unsure`, and what `readers.strict` refuses.
    """
    notes: list[str] = []
    value = _value(content, mode, notes) if isinstance(content, str) else content
    return value if isinstance(value, Understood) else _words(value, mode, notes)


def _value(text: str, mode: str, notes: list[str]) -> Mapping[str, Any] | Understood:
    """The object in `text`, or the words where there is none and it can be read nevertheless."""
    strict.refuse_bad_text(text, "content")
    text = text.strip("\ufeff \t\r\n")
    if "<" in text:
        text = _without_thoughts(text, notes)
    if text[:1] in '{["':
        parsed = _parsed(text)
        if isinstance(parsed, str):
            notes.append("encoded_twice")
            return _value(parsed, mode, notes)
        if isinstance(parsed, list):
            return _one_of([one for one in parsed if isinstance(one, dict)], len(parsed), notes, "in_list")
        if isinstance(parsed, dict):
            return parsed
    if '"' not in text and "&quot;" in text:
        notes.append("escaped")
        text = html.unescape(text)
    elif '\\"' in text and '"' not in text.replace('\\"', ""):
        notes.append("escaped")
        return _value(text.replace('\\"', '"').replace("\\n", "\n"), mode, notes)
    start = min((at for at in (text.find("{"), text.find("｛")) if at >= 0), default=-1)
    if start < 0 or not anchor().search(text, max(start - 1, 0)):
        return _without_object(text, mode, notes)
    return _inside(text, start, notes)


def _without_thoughts(text: str, notes: list[str]) -> str:
    bare = _THOUGHT.sub("", text)
    for name in ("</think>", "</thinking>"):  # some serve the thoughts without their opening
        if name in bare:
            bare = bare.rpartition(name)[2]
    if "<think>" in bare or "<thinking>" in bare:
        raise RecordError("truncated", N_("it breaks off in the middle of its thoughts"))
    if bare != text:
        notes.append("thinking")
    return bare.strip()


def _parsed(text: str) -> Any:
    """The JSON value, or None where it is none. Raises RecordError for what is JSON and may not be taken."""
    try:
        value = strict.parse(text)
    except RecordError as error:
        if error.code != "json_syntax":
            raise
        return None
    if isinstance(value, dict | list):
        strict.refuse_repeats(text, strict.nested_keys([value]))
    return value


def _inside(text: str, start: int, notes: list[str]) -> Mapping[str, Any]:
    """The one object that begins at `start` in a text that is not JSON as a whole."""
    end = max(text.rfind("}"), text.rfind("｝")) + 1
    before, after = text[:start], text[end:] if end > start else ""
    region = text[start:end] if end > start else text[start:]
    fenced = "```" in before or "~~~" in before or "```" in after
    region = _FENCE.sub("", region) if "```" in region else region
    around = _FENCE.sub("", before) + _FENCE.sub("", after)
    if fenced:
        notes.append("fence")
    if around.strip(" \t\r\n\\\"'*。.:："):
        notes.append("prose")
    several = _objects(region)
    if several:
        return _one_of(several, len(several), notes, "")
    if end <= start:
        notes.append("unclosed")
    return _repaired(region, notes, whole=end > start)


def _objects(region: str) -> list[dict[str, Any]]:
    """The objects that stand in a text one after another, each valid by itself; empty when one of them is not."""
    decoder = json.JSONDecoder()
    found: list[dict[str, Any]] = []
    at = 0
    while (at := region.find("{", at)) >= 0:
        try:
            value, end = decoder.raw_decode(region, at)
        except (ValueError, RecursionError):
            return []
        _parsed(region[at:end])  # refuses what is no JSON to us
        found.append(value)
        at = end
    return [value for value in found if _names_parts(value)]


def _names_parts(value: Mapping[str, Any]) -> bool:
    return any(part_of(key) or (isinstance(inner, dict) and _names_parts(inner)) for key, inner in value.items())


def _one_of(found: list[dict[str, Any]], count: int, notes: list[str], code: str) -> Mapping[str, Any]:
    """The object that all of `found` are. Refused when they differ, or are not all of the `count` there were."""
    if not found or len(found) != count:
        raise RecordError("no_object", N_("there is no object with a reply in it"))
    if any(one != found[0] for one in found):
        raise RecordError("several_objects", N_("{count} objects that differ; which is meant is not said"), count=count)
    notes += [code] if code else []
    notes += ["repeated"] if count > 1 else []
    return found[0]


# -- repairing, and holding the repair against the text


def _repaired(region: str, notes: list[str], *, whole: bool) -> Mapping[str, Any]:
    made = straighten(region)
    # Without its last brace an answer may be whole or not. Where the last quote closes beyond doubt, nothing is lost.
    if not whole and (made is None or made[1] & _DOUBTFUL or not _QUOTE_LAST.search(region)):
        raise _truncated()
    straight, found = (region, frozenset[str]()) if made is None else made
    notes += sorted(found)
    value: Any = _parsed(straight) if found else None
    if value is None:
        notes.append("repaired")
        value = _repair(straight)
    if not whole and isinstance(value, dict) and (not value or list(value.values())[-1] == ""):
        raise _truncated()
    if not isinstance(value, dict):
        raise RecordError("no_object", N_("there is no object with a reply in it"))
    _refuse_unfaithful(region, value)
    return value


def _truncated() -> RecordError:
    return RecordError("truncated", N_("it is cut off in the middle of a value"))


def _repair(text: str) -> Any:
    try:
        from json_repair import repair_json
    except ImportError:
        raise MissingExtra(
            N_("mending JSON needs {package}: install the extra {extra}"),
            "missing_json_repair",
            package="json-repair",
            extra="curator",
        ) from None
    try:
        return repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError):
        return None


def _refuse_unfaithful(region: str, value: Mapping[str, Any]) -> None:
    """Raise RecordError unless `value` says what stands in `region`, all of it and nothing else."""
    places = _anchors(region)
    keys = [part for part, _, _ in places]
    twice = next((part for part in keys if keys.count(part) > 1), None)
    if twice is not None:
        raise RecordError("duplicate_key", N_("the key {name} stands twice in one object; keep one"), name=shown(twice))
    pairs = list(value.items())
    if [part_of(key) for key, _ in pairs] != keys:
        raise _unsure()
    for number, ((_, inner), (_, _, begins)) in enumerate(zip(pairs, places, strict=True)):
        ends = places[number + 1][1] if number + 1 < len(places) else len(region)
        said = region[begins:ends]
        if inner is None and said.strip(" \t\r\n,，}｝") in _NOTHING:
            continue
        if not isinstance(inner, str):
            raise _not_text(inner) if isinstance(inner, int | float) else _unsure()
        if _lopsided(inner):
            raise _unsure()
        if _essence(said) != _essence(inner, decode=False) and _essence(_COMMENT.sub("", said)) != _essence(
            inner, decode=False
        ):
            raise _unsure()


def _lopsided(text: str) -> bool:
    """Whether signs of structure seem to have got into a value, or two values have become one."""
    bare = text.strip()
    quoted = any(quote in bare for quote in "\"'`“＂")
    if swallowed().search(bare) or (quoted and any(name in bare for name in asked_for())):
        return True
    if bare in _NOTHING:  # a word of the language, not somebody's: what it was is not known where signs were lost
        return True
    return (
        _QUOTE_TO_QUOTE.search(bare) is not None
        or _MEMBERS_EDGE.search(bare) is not None
        or _OPENS.search(bare) is not None
        or bare.count('"') % 2 == 1
        or any(bare.count(one) != bare.count(other) for one, other in ("“”", "「」", "[]", "{}"))
        or bare[:1] in tuple(":：,，=＝\"'`")
        or bare[-1:] in tuple(":：;；,，\\`‘’'{}")
    )


def _anchors(region: str) -> list[tuple[str, int, int]]:
    """Where the known keys stand: part, where the key begins (its quote included), where its value begins."""
    found = list(anchor().finditer(region))
    quoted = [m for m in found if m["close"]]
    # Where keys are quoted, the same word with a colon and no quotes is a part of what somebody says.
    return [(str(part_of(m["key"])), m.start(), m.end()) for m in quoted or found]


def _essence(text: str, *, decode: bool = True) -> str:
    """What a value says, without quotes, white space, and signs of structure around it."""
    if decode and "\\" in text:
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)
        text = re.sub(r"\\[nrt]", "", text)
    bare = "".join(c for c in text if c not in _STRUCTURE)
    return bare.strip(_ENDS)


def _unsure() -> RecordError:
    return RecordError("unsure", N_("what it says cannot be read in one way only"))


def _not_text(value: object) -> RecordError:
    return RecordError("not_text", N_("{value} stands where words should"), value=shown(json.dumps(value)))


# -- no object at all


def _without_object(text: str, mode: str, notes: list[str]) -> Mapping[str, Any] | Understood:
    bare = _FENCE.sub("", text).strip() if "```" in text else text
    notes += ["fence"] if bare != text else []
    headings = [m for m in anchor().finditer(bare) if not _before_heading(bare, m.start("key")).strip(_MARKS)]
    places = [(str(part_of(m["key"])), m.start(), m.end()) for m in headings]
    if any(part == REPLY for part, _, _ in places):
        if any(set(m["close"]) - {"*"} for m in headings):  # JSON that lost its first brace
            return _repaired("{" + bare, notes, whole=bare.rstrip(" \t\r\n`").endswith("}"))
        return _lines(bare, places, notes)
    if not bare:
        raise RecordError("no_object", N_("there is no object with a reply in it"))
    alone = "\n" not in bare and len(bare) <= _LONGEST_BARE and not places
    if not is_refusal(bare) and _AROUND.search(bare):  # words about the reply, or marks around it, are not the reply
        raise _unsure()
    if is_refusal(bare) or (mode == DIRECT and alone and "{" not in bare):
        return Understood(Words(bare, dict.fromkeys(fields_of(mode), "")), (*notes, "bare_text"))
    raise RecordError("no_object", N_("there is no object with a reply in it"))


def _before_heading(text: str, at: int) -> str:
    """What stands on the same line before this place, a number left out."""
    return re.sub(r"\d{1,2}[.、)）]", "", text[:at].rpartition("\n")[2])


def _lines(text: str, places: list[tuple[str, int, int]], notes: list[str]) -> Mapping[str, Any]:
    """Headings with their texts, a line or more each; the last is one line, for what follows may be anything."""
    parts = [part for part, _, _ in places]
    twice = next((part for part in parts if parts.count(part) > 1), None)
    if twice is not None:
        raise RecordError("duplicate_key", N_("the key {name} stands twice in one object; keep one"), name=shown(twice))
    notes.append("lines")
    if text[: places[0][1]].strip(_MARKS):
        notes.append("prose")
    result: dict[str, Any] = {}
    for number, (part, _, begins) in enumerate(places):
        last = number + 1 == len(places)
        said = text[begins : len(text) if last else places[number + 1][1]]
        said = _LIST_MARK.sub("", said).strip()
        said = said.removeprefix("**").removesuffix("**").strip()
        if ("\n" in said and (last or part == REPLY)) or _lopsided(said):
            raise _unsure()
        result[part] = said
    return result


# -- from an object to words


def _words(value: Mapping[str, Any], mode: str, notes: list[str]) -> Understood:
    found: dict[str, str] = {}
    _collect(value, found, notes)
    if REPLY not in found:
        raise RecordError("no_reply", N_("no key for the reply among {names}"), names=shown(", ".join(map(str, value))))
    wanted = fields_of(mode)
    if any(name not in found for name in wanted):
        notes.append("missing_key")
    uncalled = tuple(name for name in found if name != REPLY and name not in wanted)
    words = Words(found[REPLY], {name: found.get(name, "") for name in wanted})
    return Understood(words, tuple(dict.fromkeys(notes)), uncalled)


def _collect(value: Mapping[str, Any], found: dict[str, str], notes: list[str]) -> None:
    for key, inner in value.items():
        part = part_of(key)
        nested = isinstance(inner, dict) and (part in (None, REPLY) or _names_parts(inner))
        if nested:
            notes.append("nested")
            _collect(inner, found, notes)
            continue
        if part is None:
            notes.append("extra_key")
            continue
        if not is_asked_for(key):
            notes.append("renamed_key")
        text = _text(part, inner, notes)
        if part not in found:
            found[part] = text
        elif found[part] != text:
            if part == REPLY:
                raise RecordError("several_replies", N_("two replies that differ; which is meant is not said"))
            raise RecordError(
                "duplicate_key", N_("the key {name} stands twice in one object; keep one"), name=shown(part)
            )
        else:
            notes.append("repeated")


def _text(part: str, value: Any, notes: list[str]) -> str:
    """The words of one part."""
    if isinstance(value, str):
        strict.refuse_bad_text(value, part)
        return value.strip()
    if value is None:
        notes.append("null")
        return ""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        if len(value) > 1 and part == REPLY:
            raise RecordError("several_replies", N_("two replies that differ; which is meant is not said"))
        notes += ["joined"] if len(value) != 1 else ["in_list"]
        return "；".join(one.strip() for one in value)
    if isinstance(value, dict) and value and all(isinstance(one, str) for one in value.values()):
        notes.append("joined")
        return "；".join(f"{name}：{one.strip()}" for name, one in value.items())
    raise _not_text(value)
