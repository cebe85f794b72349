"""Blinding: opaque codes, orders and sides drawn from a keyed hash, from what is scored and never from whose it is.

What an annotator sees is a function of the project's secret, the annotator, and the texts: an item is known by a keyed
hash of its dialogue and its texts. So calling the systems otherwise, or adding them in another order, changes no byte of it.
Draws need no stored state, but are stored, so that what was shown once is shown again.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

# Letters and digits that are not taken for one another (Crockford's base 32).
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE = 8
# A repeat comes a third of the list behind its first, or more.
_APART = 3
PAIR = "pair"


@dataclass(frozen=True)
class Item:
    """What is scored: the replies of one system to one dialogue. `mode` is `pair`, or the ablation's. `texts` is all that
    is shown of it, in a fixed order (of a pair: the reply with a process, the direct one, the process fields).
    """

    dialogue: int
    uid: str
    system: str
    mode: str
    texts: tuple[str, ...]

    @property
    def pair(self) -> bool:
        """Two replies to compare, not one alone."""
        return self.mode == PAIR


@dataclass(frozen=True)
class Placed:
    """One task of a list to be: an item, the token it is drawn by, and whether the reply with a process stands first.

    `of` is the number (in the list) of the task that this one repeats, None where it repeats none.
    """

    item: Item
    token: bytes
    first: bool
    of: int | None = None


def keyed(secret: bytes, *parts: str | bytes) -> bytes:
    """A keyed hash (HMAC-SHA-256) of `parts`, each with its length, so that no two lists of parts are the same text."""
    text = b"".join(
        len(raw).to_bytes(4, "big") + raw for raw in (p.encode("utf-8") if isinstance(p, str) else p for p in parts)
    )
    return hmac.digest(secret, text, "sha256")


def tokens(secret: bytes, items: Sequence[Item]) -> list[bytes]:
    """For each item a token that depends on its dialogue and its texts alone.

    Items that are the same in both are told apart by a count: which of them is which shows in nothing.
    """
    seen: Counter[tuple[str, tuple[str, ...]]] = Counter()
    found: dict[int, bytes] = {}
    for place in sorted(range(len(items)), key=lambda n: (items[n].system, items[n].mode)):
        item = items[place]
        same = (item.uid, item.texts)
        found[place] = keyed(secret, "item", item.uid, str(seen[same]), *item.texts)
        seen[same] += 1
    return [found[place] for place in range(len(items))]


def code(secret: bytes, person: str, token: bytes, taken: Collection[str], again: int = 0) -> str:
    """An opaque code such as `7QK2-M0XA` for a task of `person`, none of `taken`. `again` numbers repeats of an item."""
    for attempt in range(10_000):
        number = int.from_bytes(keyed(secret, "code", person, token, str(again), str(attempt))[:5], "big")
        letters = "".join(_ALPHABET[number >> 5 * n & 31] for n in range(_CODE))
        made = f"{letters[:4]}-{letters[4:]}"
        if made not in taken:
            return made
    raise RuntimeError("no code is free")


def shuffled(secret: bytes, purpose: str, person: str, names: Iterable[str]) -> list[str]:
    """`names` in an order that the keyed hash draws for this person and purpose, whatever order they come in."""
    return sorted(set(names), key=lambda name: (keyed(secret, purpose, person, name), name))


def sides(
    secret: bytes,
    person: str,
    groups: Mapping[tuple[str, str], Sequence[bytes]],
    before: Mapping[tuple[str, str], tuple[int, int]] | None = None,
) -> dict[bytes, bool]:
    """For each token, whether the reply with a process stands first for `person`.

    `groups` are the tokens of each system and mode, `before` how often the one and the other stood first in it already. Within a
    group the sides alternate in an order drawn by the hash, so that they differ by one at most, and groups of odd size
    take turns, so that they differ by one at most over all of them too. What a group is called does not enter.
    """
    drawn: dict[bytes, bool] = {}
    lead = 0
    before = before or {}
    ordered = sorted(
        (sorted(keyed(secret, "side", person, token) + token for token in group), name)
        for name, group in ((str(n), g) for n, g in groups.items())
        if group
    )
    names = {str(name): name for name in groups}
    for group, name in ordered:
        one, other = before.get(names[name], (0, 0))
        for number, entry in enumerate(group):
            if one != other:
                first = one < other
            elif number == len(group) - 1 and lead:
                first = lead < 0
            else:
                first = bool(entry[0] & 1)
            one, other = one + first, other + (not first)
            drawn[entry[32:]] = first
            lead += 1 if first else -1
    return drawn


def listed(
    secret: bytes,
    person: str,
    items: Sequence[Item],
    drawn: Sequence[bytes],
    repeats: float = 0.0,
    before: Mapping[tuple[str, str], tuple[int, int]] | None = None,
) -> list[Placed]:
    """The list of one person: dialogues shuffled, the items of a dialogue together and shuffled within it.

    `drawn` are the tokens of `items`. A share `repeats` of them comes again later, alone and with the sides changed, a
    third of the list's dialogues away or more.
    """
    groups: dict[tuple[str, str], list[bytes]] = {}
    for item, token in zip(items, drawn, strict=True):
        if item.pair:
            groups.setdefault((item.system, item.mode), []).append(token)
    side = sides(secret, person, groups, before)
    of_dialogue: dict[str, list[tuple[Item, bytes]]] = {}
    for item, token in zip(items, drawn, strict=True):
        of_dialogue.setdefault(item.uid, []).append((item, token))
    blocks: list[list[tuple[Item, bytes, bool]]] = [
        [
            (item, token, False)
            for item, token in sorted(of_dialogue[uid], key=lambda one: keyed(secret, person, one[1]))
        ]
        for uid in shuffled(secret, "dialogues", person, of_dialogue)
    ]
    blocks = _with_repeats(secret, person, blocks, round(repeats * len(items)))
    result: list[Placed] = []
    at: dict[bytes, int] = {}
    for block in blocks:
        for item, token, again in block:
            first = side.get(token, True)
            result.append(Placed(item, token, first != again, at[token] if again else None))
            at.setdefault(token, len(result) - 1)
    return result


def _with_repeats(
    secret: bytes, person: str, blocks: list[list[tuple[Item, bytes, bool]]], count: int
) -> list[list[tuple[Item, bytes, bool]]]:
    """The blocks with `count` items of the earlier ones again, each at a drawn place far enough behind its first."""
    apart = max(1, len(blocks) // _APART)
    early = [(place, one) for place, block in enumerate(blocks[: len(blocks) - apart]) for one in block]
    early.sort(key=lambda entry: keyed(secret, "repeat", person, entry[1][1]))
    added: dict[int, list[list[tuple[Item, bytes, bool]]]] = {}
    for place, (item, token, _) in early[:count]:
        room = len(blocks) - (place + apart)
        behind = place + apart + int.from_bytes(keyed(secret, "behind", person, token)[:4], "big") % room
        added.setdefault(behind, []).append([(item, token, True)])
    result = []
    for place, block in enumerate(blocks):
        result += [block, *added.get(place, [])]
    return result


def shared(
    secret: bytes,
    items: Sequence[Item],
    having: Mapping[Item, Collection[str]],
    people: Sequence[str],
    overlap: int,
    load: Mapping[str, int],
) -> dict[str, list[Item]]:
    """Who gets which items, so that each is with `overlap` people in the end; `having` says who has it already.

    The items of a dialogue go to the same people: those who have some of it, then those with the least to do.
    """
    loads = {name: load.get(name, 0) for name in people}
    result: dict[str, list[Item]] = {name: [] for name in people}
    of_dialogue: dict[str, list[Item]] = {}
    for item in items:
        of_dialogue.setdefault(item.uid, []).append(item)
    for uid in sorted(of_dialogue, key=lambda name: keyed(secret, "share", name)):
        known = {name for item in of_dialogue[uid] for name in having.get(item, ())}
        ranked = sorted(people, key=lambda name: (name not in known, loads[name], keyed(secret, "share", uid, name)))
        for item in of_dialogue[uid]:
            there = having.get(item, ())
            for name in [one for one in ranked if one not in there][: max(0, overlap - len(there))]:
                result[name].append(item)
                loads[name] += 1
    return result
