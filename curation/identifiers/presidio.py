"""Our recognisers inside Presidio's analyzer: same spans, same types, same scores as `detect`.

Presidio reads one text at a time and our findings depend on the whole dialogue, so the dialogue travels to
the recognisers in the `NlpArtifacts` that its engine hands to each of them; the text it sees is the
messages joined by line breaks. None of its own recognisers is loaded (they miss what is glued to Chinese,
and one asks the network), its context enhancer has nothing to work on, and its engine for languages does
nothing.

Presidio is imported on first use: it is slow to load and belongs to the extra `curator`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from curation.errors import N_, MissingExtra
from curation.identifiers import kinds
from curation.identifiers.finding import DETECTOR_VERSION, Finding
from curation.identifiers.page import NotScanned
from curation.identifiers.scan import FAMILIES, detect

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, EntityRecognizer

LANGUAGE = "zh"
_RULE = "rule"  # the key of our rule in a result's metadata


def analyzer() -> AnalyzerEngine:
    """An analyzer engine for `zh` with our recognisers and no others.

    `engine.analyze(text, "zh")` treats a text as one message; `detect_with_presidio` gives it a dialogue.
    Raises MissingExtra without presidio-analyzer, NotScanned when recognisers that are not ours got in.
    """
    classes = _classes()
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry

    # A registry without recognisers would be filled with predefined ones when the engine is built.
    ours = recognizers()
    registry = RecognizerRegistry(recognizers=ours, supported_languages=[LANGUAGE])
    engine = AnalyzerEngine(
        registry=registry,
        nlp_engine=classes["nlp"]([{"lang_code": LANGUAGE, "model_name": ""}]),
        supported_languages=[LANGUAGE],
    )
    loaded = list(engine.registry.recognizers)
    if len(loaded) != len(ours) or not all(isinstance(one, classes["recognizer"]) for one in loaded):
        raise NotScanned(N_("the analyzer holds recognisers that are not ours, so its answer cannot be trusted"))
    return engine


def detect_with_presidio(
    messages: Sequence[tuple[str, str]],
    engine: AnalyzerEngine | None = None,
    late: Callable[[], bool] | None = None,
) -> tuple[Finding, ...]:
    """What `detect` finds in `messages`, by way of `engine` (one from `analyzer()`, made where none is
    given).

    `late` says whether time has run out, as for `detect`. Raises NotScanned when it has, when a recogniser
    fails or a result does not lie within one message, MissingExtra without Presidio.
    """
    engine = engine or analyzer()
    classes = _classes()
    texts = [text for _, text in messages]
    # Where each message begins in the joined text: one more than the end of the one before.
    begins = [0, *accumulate(len(text) + 1 for text in texts)]
    artifacts = classes["artifacts"](messages, begins, engine.nlp_engine, late)
    findings = []
    try:
        results = engine.analyze(
            "\n".join(texts),
            LANGUAGE,
            entities=list(_entities()),
            nlp_artifacts=artifacts,
            score_threshold=0.0,
        )
    except Exception as error:
        # Ours say NotScanned themselves; a recogniser that somebody added must not fail unseen either.
        raise NotScanned(
            N_("the dialogue could not be searched for identifiers: {error}"), error=type(error).__name__
        ) from None
    for result in results:
        metadata = result.recognition_metadata
        if metadata is None or _RULE not in metadata:
            raise NotScanned(N_("the analyzer holds recognisers that are not ours, so its answer cannot be trusted"))
        message = metadata["message"]
        start, end = result.start - begins[message], result.end - begins[message]
        if not 0 <= start < end <= len(texts[message]):
            raise NotScanned(N_("the analyzer gave a range outside message {number}"), number=message + 1)
        findings.append(
            Finding(
                message,
                start,
                end,
                result.entity_type,
                texts[message][start:end],
                result.score,
                metadata[_RULE],
            )
        )
    return tuple(sorted(findings))


def _kinds_of_families() -> dict[str, tuple[str, ...]]:
    return {family: of for family, (of, _) in FAMILIES.items()} | {"context": kinds.TYPES}


def _entities() -> tuple[str, ...]:
    return tuple(dict.fromkeys(kind for of in _kinds_of_families().values() for kind in of))


def _family_of(rule: str) -> str:
    """The family whose recogniser made `rule`: its word before the colon."""
    return _FAMILY_BY_RULE[rule.partition(":")[0]]


_FAMILY_BY_RULE = {
    "phone": "phones",
    "id": "documents",
    "card": "cards",
    "qq": "accounts",
    "wechat": "wechat",
    "email": "emails",
    "url": "urls",
    "tail": "last digits",
    "plate": "plates",
    "position": "positions",
    "parcel": "parcels",
    "code": "passcodes",
    "handle": "handles",
    "left": "leftovers",
    "pieces": "pieces",
    "name": "names",
    "address": "addresses",
    "place": "localities",
    "organisation": "organisations",
    "birthday": "birthdays",
    "context": "context",
}


@lru_cache(maxsize=1)
def _classes() -> dict[str, Any]:
    """Our subclasses of Presidio's classes, made when Presidio is first needed."""
    try:
        from presidio_analyzer import EntityRecognizer, RecognizerResult
        from presidio_analyzer.nlp_engine import NlpArtifacts, NoOpNlpEngine
        from spacy.tokens import Doc
        from spacy.vocab import Vocab
    except ImportError as error:
        raise MissingExtra(
            N_("{package} is not installed; install it with: pip install 'dialogue-workbench[{extra}]'"),
            package="presidio-analyzer",
            extra="curator",
        ) from error

    class DialogueArtifacts(NlpArtifacts):  # type: ignore[misc,unused-ignore]
        """The dialogue behind a text, searched once for all recognisers."""

        def __init__(
            self,
            messages: Sequence[tuple[str, str]],
            begins: Sequence[int],
            nlp_engine: Any,
            late: Callable[[], bool] | None = None,
        ) -> None:
            super().__init__(
                entities=[],
                tokens=Doc(Vocab(), words=[]),
                tokens_indices=[],
                lemmas=[],
                nlp_engine=nlp_engine,
                language=LANGUAGE,
                scores=[],
            )
            self.begins = begins
            self.findings = detect(messages, late=late)

    class ChatNlpEngine(NoOpNlpEngine):  # type: ignore[misc,unused-ignore]
        """Does nothing for a language; makes a dialogue of one message of a text that comes alone."""

        def process_text(self, text: str, language: str) -> Any:
            """The artifacts of `text` as one message."""
            return DialogueArtifacts([("", text)], [0], self)

    class FamilyRecognizer(EntityRecognizer):  # type: ignore[misc,unused-ignore]
        """One family of ours. Lets every exception through: a text not searched must not pass for a clean
        one."""

        def __init__(self, family: str, kinds: Sequence[str]) -> None:
            super().__init__(
                supported_entities=list(kinds),
                name=f"curation {family}",
                supported_language=LANGUAGE,
                version=DETECTOR_VERSION,
            )
            self.family = family
            self.label = f"curation {family}"

        def load(self) -> None:
            """Nothing to load."""

        def analyze(self, text: str, entities: list[str], nlp_artifacts: Any) -> list[Any]:
            """The findings of this family among `entities`, in offsets of `text`."""
            if not isinstance(nlp_artifacts, DialogueArtifacts):
                nlp_artifacts = DialogueArtifacts([("", text)], [0], None)
            return [
                RecognizerResult(
                    entity_type=one.type,
                    start=one.start + nlp_artifacts.begins[one.message],
                    end=one.end + nlp_artifacts.begins[one.message],
                    score=one.score,
                    recognition_metadata={
                        RecognizerResult.RECOGNIZER_NAME_KEY: self.label,
                        RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
                        "message": one.message,
                        _RULE: one.rule,
                    },
                )
                for one in nlp_artifacts.findings
                if one.type in entities and _family_of(one.rule) == self.family
            ]

    return {"artifacts": DialogueArtifacts, "nlp": ChatNlpEngine, "recognizer": FamilyRecognizer}


def recognizers() -> list[EntityRecognizer]:
    """Our recognisers, for a registry of somebody else's."""
    make = _classes()["recognizer"]
    return [make(family, of) for family, of in _kinds_of_families().items()]
