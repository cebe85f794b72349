"""The search index: for every two neighbouring characters, in which dialogues they stand. Derived, and never trusted:
it names candidates, and whoever searches confirms them on the text.

Characters are folded first (script, width, case), one for one, so that offsets stay. Two neighbours make a gram, a gram
falls into one of `BUCKETS` buckets (many grams share one, so that no list tells of one gram), and a bucket of a block of
`BLOCK` dialogues is the list of those that hold it. No text is stored. What lies above the raw text adds a few grams to
some dialogues: those are kept a dialogue each, with the state of its layers that they were taken from.

Nothing is indexed at import. `build` covers what is not covered, a block at a time; until then it is scanned.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise
from struct import pack, unpack
from typing import TYPE_CHECKING, Any

from db.connection import snapshot, transaction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 4096  # dialogues
BUCKETS = 65536
PARTS = 256  # rows a block; each holds BUCKETS / PARTS buckets
LEAST = 256  # fewer new dialogues than this are quicker scanned than indexed
CHANGES_AT_ONCE = 200
_IN_PART = BUCKETS // PARTS
_CHARACTERS_AT_ONCE = 2_000_000
_MASK = 0xFFFFFFFF
_FACTORS = (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35)
_FORMAT = "grams-1"
# Dialogues whose upper layers can read otherwise than the raw text.
CHANGED = (
    "SELECT dialogue FROM finding WHERE accepted = 1 UNION SELECT dialogue FROM layer UNION SELECT dialogue FROM rewriting"
    " UNION SELECT dialogue FROM purged"
)


@cache
def _table() -> dict[int, str]:
    """Character -> the one it is searched as: simplified, half-width, lower case. Never more than one for one."""
    text = (files("curation") / "data" / "simplified.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    simple = {a: b for left, right in rows for a, b in zip(left, right, strict=True)}
    wide = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {"\u3000": " "}
    table = {**simple, **{a: b.lower() for a, b in wide.items()}}
    # Letters with a case beyond these are not written in chats.
    for code in range(0x41, 0x530):
        small = chr(code).lower()
        if len(small) == 1 and small != chr(code):
            table[chr(code)] = small
    return {ord(a): b for a, b in table.items()}


@cache
def _written_as() -> dict[str, tuple[str, ...]]:
    """Folded character -> every character that folds to it, itself first."""
    found: dict[str, list[str]] = {}
    for code, folded in _table().items():
        found.setdefault(folded, [folded]).append(chr(code))
    return {folded: tuple(ones) for folded, ones in found.items()}


def folded(text: str) -> str:
    """`text` as it is searched: simplified, half-width, lower case, character for character."""
    return text.translate(_table())


def spellings(character: str) -> tuple[str, ...]:
    """Every character that is searched as `character` is."""
    plain = folded(character)
    return _written_as().get(plain, (plain,))


@cache
def version() -> str:
    """What an index must have been made with to be of use: another fold makes other grams."""
    table = json.dumps(sorted(_table().items())).encode("utf-8")
    return f"{_FORMAT}-{zlib.crc32(table):08x}"


def buckets(text: str) -> set[int]:
    """The buckets of a text's grams. Grams over a line end are left out: messages are indexed end to end."""
    plain = folded(text)
    pairs = {(a, b) for a, b in pairwise(plain) if a != "\n" and b != "\n"}
    return {_bucket(ord(a), ord(b)) for a, b in pairs}


def _bucket(left: int, right: int) -> int:
    code = (left * _FACTORS[0] + right) * _FACTORS[1] & _MASK
    code = (code ^ code >> 15) * _FACTORS[2] & _MASK
    return code >> 16


@dataclass(frozen=True, slots=True)
class Changes:
    """What the layers above raw add, for one search. `all` are the dialogues with such layers; of the `stale` ones the
    index does not know what they read like now (by block); `holding` has the others that hold a bucket above raw alone (by
    block and bucket)."""

    all: set[int] = field(default_factory=set)
    stale: dict[int, set[int]] = field(default_factory=dict)
    holding: dict[tuple[int, int], set[int]] = field(default_factory=dict)


class Index:
    """The index of one project. `upper` gives every text of a dialogue above its raw ones."""

    def __init__(self, connection: sqlite3.Connection, upper: Callable[[int], Iterable[str]]) -> None:
        self._db = connection
        self._upper = upper

    # -- asking

    def covered(self) -> dict[int, int]:
        """Block -> the last dialogue of it that is covered. Covered are all of a block up to there, or none."""
        rows = self._db.execute("SELECT block, upto FROM gram_block WHERE version = ?", (version(),)).fetchall()
        return dict(rows)

    def holders(self, block: int, wanted: Iterable[int], changes: Changes) -> list[int]:
        """The dialogues of a covered block that may hold grams of all `wanted` buckets, in order."""
        first = block * BLOCK
        result: set[int] | None = None
        for bucket in wanted:
            row = self._db.execute(
                "SELECT dialogues FROM gram WHERE place = ?", (block * PARTS + bucket // _IN_PART,)
            ).fetchone()
            found = {first + offset for offset in _offsets(row[0], bucket % _IN_PART)} if row else set()
            found.update(changes.stale.get(block, ()), changes.holding.get((block, bucket), ()))
            result = found if result is None else result & found
            if not result:
                break
        return sorted(result or ())

    def changes(self, wanted: Iterable[int]) -> Changes:
        """What the upper layers add to these buckets."""
        asked = set(wanted)
        found = Changes()
        for key, state, known, blob in self._states():
            found.all.add(key)
            if known != state:
                found.stale.setdefault(key // BLOCK, set()).add(key)
                continue
            for bucket in asked.intersection(unpack(f"<{len(blob) // 2}H", blob)):
                found.holding.setdefault((key // BLOCK, bucket), set()).add(key)
        return found

    def _states(self) -> Iterator[tuple[int, str, str | None, bytes]]:
        """(dialogue, state of its layers now, state they were indexed in, what was indexed).

        Events are only ever added, so their number on a dialogue tells its states apart, and the settings take part.
        """
        with snapshot(self._db):
            (settings,) = self._db.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()
            stem = f"{version()}/{zlib.crc32(settings.encode('utf-8')):08x}"
            rows = self._db.execute(
                "SELECT c.dialogue, (SELECT count(*) FROM entry e WHERE e.dialogue = c.dialogue), g.state, g.buckets"
                f" FROM ({CHANGED}) c JOIN dialogue d ON d.id = c.dialogue JOIN payload p ON p.id = d.payload"
                " LEFT JOIN purged x ON x.dialogue = c.dialogue LEFT JOIN gram_change g ON g.dialogue = c.dialogue"
                " WHERE p.text IS NOT NULL OR x.dialogue IS NOT NULL"
            ).fetchall()
        return ((key, f"{stem}/{count}", known, blob) for key, count, known, blob in rows)

    # -- building

    def build(self, least: int = LEAST) -> Iterator[int]:
        """Cover what is not covered, step by step; yields how many dialogues each step covered.

        A step is short, holds the lock only to write, and is whole in itself: stop whenever you like. Blocks that lack
        fewer than `least` dialogues wait.
        """
        for block in self._open(least):
            yield self._cover(block)
        stale = [(key, state) for key, state, known, _ in self._states() if known != state]
        for at in range(0, len(stale), CHANGES_AT_ONCE):
            yield self._cover_changes(stale[at : at + CHANGES_AT_ONCE])

    def progress(self) -> Iterator[float]:
        """The same, telling how much of all is covered, 0 to 1; at the end 1."""
        steps = self.build()
        top = self._top()
        done = sum(upto % BLOCK + 1 for upto in self.covered().values())
        for count in steps:
            done += count
            yield min(done / max(top, 1), 0.99)
        if top:
            yield 1.0

    def _top(self) -> int:
        return int(self._db.execute("SELECT ifnull(max(id), 0) FROM dialogue").fetchone()[0])

    def _open(self, least: int) -> list[int]:
        top = self._top()
        covered = self.covered()
        return [
            block
            for block in range(top // BLOCK + 1)
            if min(top, block * BLOCK + BLOCK - 1) - covered.get(block, max(block * BLOCK - 1, 0)) >= max(least, 1)
        ]

    def _cover(self, block: int) -> int:
        first = block * BLOCK
        grams = _Grams()
        upto = first - 1
        for key, text in self._db.execute(
            "SELECT d.id, p.text FROM dialogue d JOIN payload p ON p.id = d.payload WHERE d.id BETWEEN ? AND ?"
            " ORDER BY d.id",
            (first, first + BLOCK - 1),
        ):
            upto = key
            if text is not None:
                grams.take(key - first, [row[1] for row in json.loads(text)["messages"]])
        rows = [(block * PARTS + part, blob) for part, blob in enumerate(grams.parts())]
        with transaction(self._db):
            # A text purged since it was read must not come back by way of the index.
            there = self._db.execute(
                "SELECT count(p.text) FROM dialogue d JOIN payload p ON p.id = d.payload WHERE d.id BETWEEN ? AND ?",
                (first, upto),
            ).fetchone()[0]
            if there != grams.count:
                return 0
            self._drop(block)
            self._db.executemany("INSERT INTO gram (place, dialogues) VALUES (?, ?)", rows)
            self._db.execute("INSERT INTO gram_block (block, upto, version) VALUES (?, ?, ?)", (block, upto, version()))
        return upto - first + 1

    def _cover_changes(self, stale: Sequence[tuple[int, str]]) -> int:
        made = []
        for key, state in stale:
            raw, above = self._raw_buckets(key), set[int]()
            for text in self._upper(key):
                above |= buckets(text)
            added = sorted(above - raw)
            made.append((key, state, pack(f"<{len(added)}H", *added)))
        with transaction(self._db):
            # What was purged since it was read must not come back by way of the index.
            now = {key: state for key, state, _, _ in self._states()}
            made = [one for one in made if now.get(one[0]) == one[1]]
            self._db.executemany("INSERT OR REPLACE INTO gram_change (dialogue, state, buckets) VALUES (?, ?, ?)", made)
        return len(made)

    def _raw_buckets(self, key: int) -> set[int]:
        (text,) = self._db.execute(
            "SELECT p.text FROM dialogue d JOIN payload p ON p.id = d.payload WHERE d.id = ?", (key,)
        ).fetchone()
        return set() if text is None else buckets("\n".join(row[1] for row in json.loads(text)["messages"]))

    # -- forgetting

    def forget(self, dialogues: Iterable[int]) -> None:
        """Take these dialogues out, in the caller's transaction where there is one; `secure_delete` wipes the pages.

        Their blocks go whole, are scanned until they are built again, and are then built of the texts that are left.
        """
        with transaction(self._db):
            keys = list(dialogues)
            for block in sorted({key // BLOCK for key in keys}):
                self._drop(block)
            self._db.executemany("DELETE FROM gram_change WHERE dialogue = ?", [(key,) for key in keys])

    def clear(self) -> None:
        """Take everything out."""
        with transaction(self._db):
            for table in ("gram", "gram_block", "gram_change"):
                self._db.execute(f"DELETE FROM {table}")

    def _drop(self, block: int) -> None:
        self._db.execute("DELETE FROM gram WHERE place BETWEEN ? AND ?", (block * PARTS, block * PARTS + PARTS - 1))
        self._db.execute("DELETE FROM gram_block WHERE block = ?", (block,))

    def size(self) -> int:
        """How many bytes the lists take."""
        row = self._db.execute(
            "SELECT (SELECT ifnull(sum(length(dialogues)), 0) FROM gram)"
            " + (SELECT ifnull(sum(length(buckets)), 0) FROM gram_change)"
        ).fetchone()
        return int(row[0])


# -- a block's lists


class _Grams:
    """Collects the grams of a block's dialogues."""

    def __init__(self) -> None:
        self.count = 0
        self._texts: list[str] = []
        self._owners: list[int] = []
        self._waiting = 0
        self._keys: list[NDArray[np.uint32]] = []

    def take(self, offset: int, messages: Sequence[str]) -> None:
        """The next dialogue: its place in the block, and its texts."""
        self.count += 1
        self._texts.append("\n".join(messages) + "\n")
        self._owners.append(offset)
        self._waiting += len(self._texts[-1])
        if self._waiting > _CHARACTERS_AT_ONCE:
            self._sort()

    def _sort(self) -> None:
        """Make sorted keys, bucket before dialogue, of the texts that wait."""
        import numpy as np

        text = "".join(self._texts).encode("utf-32-le", "surrogatepass")
        characters = _fold_array()[np.frombuffer(text, "<u4")]
        lengths = [len(one) for one in self._texts]
        owner = np.repeat(np.array(self._owners, np.uint32), lengths)
        left, right = characters[:-1], characters[1:]
        a, b, c = (np.uint32(factor) for factor in _FACTORS)
        code = (left * a + right) * b
        code = (code ^ code >> np.uint32(15)) * c
        key = (code >> np.uint32(16)) * np.uint32(BLOCK) | owner[:-1]
        self._keys.append(_distinct(key[(left != 10) & (right != 10)]))
        self._texts, self._owners, self._waiting = [], [], 0

    def parts(self) -> Iterator[bytes]:
        """The block's rows: for each bucket of a part how many dialogues hold it, then the gaps between them, all
        their low bytes before all their high ones, which packs better."""
        import numpy as np

        if self._texts:
            self._sort()
        keys = _distinct(np.concatenate(self._keys)) if self._keys else np.empty(0, np.uint32)
        offsets = (keys % np.uint32(BLOCK)).astype(np.int32)
        counts = np.bincount(keys // np.uint32(BLOCK), minlength=BUCKETS)
        ends = np.concatenate([[0], np.cumsum(counts)])
        gaps = np.diff(offsets, prepend=np.int32(0))
        begins = ends[:-1][counts > 0]
        gaps[begins] = offsets[begins]
        for at in range(0, BUCKETS, _IN_PART):
            own = gaps[ends[at] : ends[at + _IN_PART]].astype("<u2")
            low, high = (own & 0xFF).astype(np.uint8), (own >> 8).astype(np.uint8)
            head = counts[at : at + _IN_PART].astype("<u2")
            yield zlib.compress(head.tobytes() + low.tobytes() + high.tobytes(), 1)


def _distinct(keys: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Sorted, each once; several times as quick as numpy's own."""
    import numpy as np

    keys = np.sort(keys)
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys


@cache
def _fold_array() -> NDArray[np.uint32]:
    import numpy as np

    array_: Any = np.arange(0x110000, dtype=np.uint32)
    for code, plain in _table().items():
        array_[code] = ord(plain)
    return array_  # type: ignore[no-any-return]


def listed(blob: bytes) -> set[int]:
    """The places in the block of all that any bucket of a part names."""
    data = zlib.decompress(blob)
    first, apart = 2 * _IN_PART, (len(data) - 2 * _IN_PART) // 2
    found: set[int] = set()
    for low, high in zip(data[0:first:2], data[1:first:2], strict=True):
        last = first + (low | high << 8)
        gaps = zip(data[first:last], data[first + apart : last + apart], strict=True)
        found.update(accumulate(a | b << 8 for a, b in gaps))
        first = last
    return found


def _offsets(blob: bytes, bucket: int) -> Iterable[int]:
    """The places in the block of those that hold the `bucket`-th bucket of a part."""
    data = zlib.decompress(blob)
    counts = [low | high << 8 for low, high in zip(data[0 : 2 * _IN_PART : 2], data[1 : 2 * _IN_PART : 2], strict=True)]
    first = 2 * _IN_PART + sum(counts[:bucket])
    last = first + counts[bucket]
    apart = (len(data) - 2 * _IN_PART) // 2
    gaps = zip(data[first:last], data[first + apart : last + apart], strict=True)
    return accumulate(low | high << 8 for low, high in gaps)
