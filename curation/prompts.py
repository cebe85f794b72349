"""Prompts: what a system is asked, made of a template and the text of a dialogue.

Templates are data (`data/prompts/zh.toml` and `en.toml`, or files of the same shape in a project's own folder). A
template is known by its version and a digest of its content, so that one that was changed in passing is another one.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from curation.errors import N_, BadInput, UsageError
from curation.work.asking import DIRECT, MODES, PROCESS, fields_of

LANGS = ("zh", "en")
FORMS = ("plain", "batch")
_FIELD = re.compile(r"\{(\w+)\}")
_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")


@dataclass(frozen=True)
class Template:
    """The prompts of one language. `name` is the version with a digest of the content."""

    name: str
    lang: str
    data: Mapping[str, Any]

    def keys(self, mode: str) -> dict[str, str]:
        """The keys that an answer in this mode has, by process field and `reply`, in their order."""
        return {part: self.data["keys"][part] for part in (*fields_of(mode), "reply")}


def template(lang: str, folder: Path | None = None) -> Template:
    """The template of a language: the program's own, or that of a folder. Raises BadInput for one that is not whole."""
    if lang not in LANGS:
        raise UsageError(N_("{name} must be one of {allowed}"), name="lang", allowed=", ".join(LANGS))
    if folder is None:
        return _own(lang)
    path = folder / f"{lang}.toml"
    try:
        return _read(path.read_text("utf-8"), lang, str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            N_("{file}: cannot be read ({reason}); check the name and the permissions"),
            code="unreadable",
            file=path,
            reason=getattr(error, "strerror", None) or error,
        ) from None


@cache
def _own(lang: str) -> Template:
    name = f"data/prompts/{lang}.toml"
    return _read(files("curation").joinpath(name).read_text("utf-8"), lang, name)


def _read(text: str, lang: str, file: str) -> Template:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(N_("{file}: no TOML ({reason})"), code="bad_template", file=file, reason=error) from None
    if problem := _problem(data, lang):
        raise BadInput(
            N_("{file}: {what} is missing or not as it should be"), code="bad_template", file=file, what=problem
        )
    digest = hashlib.sha256(json.dumps(data, sort_keys=True).encode("ascii")).hexdigest()[:8]
    return Template(f"{data['version']}@{digest}", lang, data)


def _problem(data: Mapping[str, Any], lang: str) -> str:
    """The name of the first part that is not as it should be; empty when all are."""
    texts: dict[str, Any] = {name: data.get(name) for name in ("version", "self", "other")}
    for table, names in {
        "keys": (*PROCESS, "reply"),
        "cot": ("role", "goal", "steps"),
        "direct": ("role", "goal", "text", "form", "blank"),
        "dialogue": ("heading", "line"),
    }.items():
        part = data.get(table)
        if not isinstance(part, dict):
            return table
        texts |= {f"{table}.{name}": part.get(name) for name in names}
    cot = data["cot"]
    for table, names in {"fields": PROCESS, "reply": ("heading", "text", "form", "blank")}.items():
        part = cot.get(table)
        texts |= {f"cot.{table}.{name}": part.get(name) if isinstance(part, dict) else None for name in names}
    wrong = next((name for name, text in texts.items() if not isinstance(text, str) or not text.strip()), "")
    if wrong:
        return wrong
    groups = cot.get("groups")
    if not isinstance(groups, list) or not all(
        isinstance(one, dict) and isinstance(one.get("heading"), str) and isinstance(one.get("fields"), list)
        for one in groups
    ):
        return "cot.groups"
    if tuple(name for one in groups for name in one["fields"]) != PROCESS:
        return "cot.groups"
    if "{form}" not in cot["reply"]["form"] or "{form}" not in data["direct"]["form"]:
        return "form"
    if len(set(data["keys"].values())) != len(PROCESS) + 1:
        return "keys"
    if "{text}" not in data["dialogue"]["line"] or "{who}" not in data["dialogue"]["line"]:
        return "dialogue.line"
    return "" if data.get("lang") == lang else "lang"


def _filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with its {names} filled in, once: what is filled in is not looked at again."""
    return _FIELD.sub(lambda m: values.get(m[1], m[0]), text)


def instructions(made: Template, mode: str, limit: int) -> str:
    """What is asked for, without the dialogue. A process field that the mode leaves out is nowhere in it."""
    if mode not in MODES:
        raise UsageError(N_("{name} must be one of {allowed}"), name="mode", allowed=", ".join(MODES))
    part = made.data[DIRECT if mode == DIRECT else "cot"]
    keys = made.keys(mode)
    asked = part if mode == DIRECT else part["reply"]
    form = json.dumps(dict.fromkeys(keys.values(), asked["blank"]), ensure_ascii=False)
    values = {"limit": str(limit), "form": form}
    lines = [part["role"] + _gap(made) + part["goal"]]
    if mode == DIRECT:
        lines += [asked["text"]]
    else:
        lines += [part["steps"]]
        for group in part["groups"]:
            fields = [name for name in group["fields"] if name in keys]
            colon = "：" if made.lang == "zh" else ": "
            lines += (
                [group["heading"], *(f"- {keys[name]}{colon}{part['fields'][name]}" for name in fields)]
                if fields
                else []
            )
        lines += [asked["heading"], asked["text"]]
    return "\n".join(_filled(line, values) for line in [*lines, asked["form"]])


def _gap(made: Template) -> str:
    return "" if made.lang == "zh" else " "


def conversation(made: Template, messages: Sequence[tuple[str, str]]) -> str:
    """The dialogue as it is shown: one line a message; further lines of a message are set in, so that none is taken for
    another message. `messages` are (party, text), the party `self` or `other`.
    """
    who = {"self": made.data["self"], "other": made.data["other"]}
    lines = [
        _filled(made.data["dialogue"]["line"], {"who": who[party], "text": _BREAK.sub("\n    ", text)})
        for party, text in messages
    ]
    return "\n".join([made.data["dialogue"]["heading"], *lines])


def chat(made: Template, mode: str, limit: int, messages: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """The prompt as the messages of a chat endpoint: instructions, then the dialogue."""
    return [
        {"role": "system", "content": instructions(made, mode, limit)},
        {"role": "user", "content": conversation(made, messages)},
    ]


def line(
    prompt_id: str,
    made: Template,
    mode: str,
    stage: str,
    messages: Sequence[Mapping[str, str]],
    *,
    model: str = "",
    temperature: float | None = None,
) -> dict[str, Any]:
    """One line of a prompt file: in the form of OpenAI's batch service where a `model` is named, else plain.

    Neither says anything of the dialogue but its text. `stage` is what the text is: approved, or agreed (and masked).
    """
    if model:
        body: dict[str, Any] = {"model": model, "messages": list(messages)}
        if temperature is not None:
            body["temperature"] = temperature
        return {"custom_id": prompt_id, "method": "POST", "url": "/v1/chat/completions", "body": body}
    return {
        "id": prompt_id,
        "mode": mode,
        "lang": made.lang,
        "template": made.name,
        "text": stage,
        "messages": list(messages),
    }
