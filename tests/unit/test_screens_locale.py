"""The catalogue is whole: every sentence has its Chinese, with the same fields, and is compiled."""

from __future__ import annotations

import string
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir

from curation.errors import RefusedStep
from screens import locale
from screens.locale.catalogue import KEYWORDS, PACKAGES, ROOT, found, read, stale

CATALOGUE = read()
FOUND = found()


@pytest.fixture(autouse=True)
def _language_back() -> object:
    before = locale.language()
    yield
    locale.use(before)


def fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}


def chinese(key: str | tuple[str, ...]) -> list[str]:
    message = CATALOGUE.get(key if isinstance(key, str) else key[0])
    if message is None or not message.string:
        return []
    return [message.string] if isinstance(message.string, str) else list(message.string)


def test_every_sentence_has_its_chinese() -> None:
    missing = [key for key in FOUND if not any(chinese(key))]
    assert missing == [], "python -m screens.locale adds them to the .po; give each its Chinese there"


def test_no_sentence_is_left_that_nothing_says() -> None:
    known = {key if isinstance(key, str) else key[0] for key in FOUND}
    assert {m.id if isinstance(m.id, str) else m.id[0] for m in CATALOGUE if m.id} <= known


def test_fields_are_the_same() -> None:
    for key in FOUND:
        for said in chinese(key):
            wanted = fields(key) if isinstance(key, str) else fields(key[1])
            assert fields(said) == wanted, key


def test_each_kind_of_identifier_has_one_chinese_word_wherever_it_is_said() -> None:
    from curation.identifiers.kinds import CHINESE_NAMES
    from curation.identifiers.quasi import KIND_WORDS
    from curation.identifiers.reasons import RULE_WORDS
    from screens.reviewwords import TYPE_NAMES

    told = {kind: chinese(words)[0] for kind, words in TYPE_NAMES.items()}
    assert told == CHINESE_NAMES, "what stands on the screen and what stands in the text"
    for word, kind in (("name", "PERSON"), ("address", "ADDRESS"), ("birthday", "BIRTHDATE")):
        assert chinese(KIND_WORDS[word]) == [CHINESE_NAMES[kind]]
    reasons = "\n".join(chinese(words)[0] for words in RULE_WORDS.values())
    assert not [other for other in ("姓名", "机构", "组织", "人物") if other in reasons]


def test_the_compiled_catalogue_is_not_stale() -> None:
    assert stale(CATALOGUE) == [], "python -m screens.locale compiles it"


def test_babel_finds_nothing_that_the_reading_of_the_syntax_tree_does_not() -> None:
    # Babel takes any bracket after `told` for a call.
    keywords = {name: places for name, places in KEYWORDS.items() if name != "told"}
    for package in PACKAGES:
        rows = extract_from_dir(ROOT / package, [("**.py", "python")], keywords=keywords)
        for _name, _line, message, _comments, _context in rows:
            key = message if isinstance(message, str) else tuple(message)
            assert not key or key in FOUND


def test_languages() -> None:
    assert locale.use("zh") == "zh"
    assert locale.gettext("Situations") == "情境"
    assert locale.gettext("") == ""
    assert locale.use("en") == "en"
    assert locale.gettext("Situations") == "Situations"
    assert locale.system_lang({"LANG": "zh_CN.UTF-8"}) == "zh"
    assert locale.system_lang({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}) == "en"
    assert locale.system_lang({}) == "en"


def test_an_error_is_told_in_the_language_in_use_with_its_fields_made_visible() -> None:
    error = RefusedStep("{name} has left the project", name="bo\x1b[31m")
    locale.use("zh")
    assert locale.told_error(error) == "bo␛[31m 已离开项目"
    assert locale.told("{n:.1f} {x}", {"n": 1.25, "x": "y"}) == "1.2 y"


def test_the_catalogue_needs_neither_textual_nor_babel(tmp_path: Path) -> None:
    code = (
        "import sys, screens.locale, screens.display, screens.lines, screens.actions\n"
        "screens.locale.use('zh'); assert screens.locale.gettext('Keys') == '按键'\n"
        "screens.display.visible('x'); screens.actions.check()\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('textual', 'babel', 'sqlite3')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
