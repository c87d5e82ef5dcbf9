"""The SDK, looked at before it is used: a name that it lacks makes an operation unsupported, never the adapter unusable."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGE = "jeffs_brain_memory"

# The regular expressions, under the names that the specification gives them.
PATTERNS = tuple(
    f"{name}_RE"
    for name in (
        *("PREFERENCE_QUERY", "ENUMERATION_OR_TOTAL_QUERY", "FIRST_PERSON_FACT_LOOKUP", "FACT_LOOKUP_VERB"),
        *("PREFERENCE_NOTE", "GENERIC_NOTE", "ROLLUP_NOTE", "ATOMIC_EVENT_NOTE", "DATE_TAG"),
    )
)

# Each part of the SDK under our name for it, with the places where it is looked for below the package; the first that
# is there counts. The first of each is where the package has it, but for `normalise` and `date tokens`, which it keeps
# to itself; the others are the TypeScript SDK's names in this language's spelling, for a package that grows them.
PLACES = {
    "normalise": ("search.normalise", "query.normalise", "query.normalise_query"),
    "parse": ("search.parse", "search.parse_query", "query.parse_query"),
    "compile": ("search.compile", "search.compile_to_fts", "query.compile_to_fts"),
    "expand aliases": ("search.expand_aliases", "query.expand_aliases"),
    "alias table": ("search.AliasTable", "query.AliasTable"),
    "AST": ("search.QueryAST", "query.QueryAST"),
    "token": ("search.Token", "query.Token"),
    "stop words": ("search.load_stopwords", "query.load_stopwords"),
    "parse date": ("query.temporal.parse_question_date", "query.parse_question_date"),
    "temporal hints": ("retrieval.resolved_temporal_hint_line",),
    "augment": ("retrieval.augment_query_with_temporal", "query.augment_query_with_temporal"),
    "date tokens": ("query.temporal.date_search_tokens", "query.date_search_tokens"),
    "fuse": ("retrieval.reciprocal_rank_fusion",),
    "candidate": ("retrieval.RRFCandidate",),
    "result": ("retrieval.RetrievedChunk",),
    "document text": ("retrieval.compose_rerank_text", "rerank.compose_rerank_text"),
    "detect intent": ("retrieval.detect_retrieval_intent",),
    "intent multiplier": ("retrieval.retrieval_intent_multiplier",),
    "reweight": ("retrieval.reweight_shared_memory_ranking",),
    "sanitise": ("retrieval.sanitise_query",),
    "strongest term": ("retrieval.strongest_term",),
    "query tokens": ("retrieval.query_tokens",),
    "slug text": ("retrieval.slug_text_for",),
    "trigrams": ("retrieval.compute_trigrams",),
    "jaccard": ("retrieval.jaccard",),
    "trigram index": ("retrieval.build_trigram_index",),
    "trigram chunk": ("retrieval.TrigramChunk",),
    "retriever": ("retrieval.Retriever",),
    "request": ("retrieval.Request",),
    "mode": ("retrieval.Mode",),
    "BM25 hit": ("retrieval.BM25Hit",),
    "vector hit": ("retrieval.VectorHit",),
    "index query": ("search.sanitise_query",),
    "index": ("search.Index",),
    "index chunk": ("search.Chunk",),
    **{name: (f"retrieval.{name}",) for name in PATTERNS},
}

# How a value's members are called: the package's own name first.
MEMBERS = {"id": ("chunk_id", "id"), "content": ("text", "content")}


class OutOfReach(Exception):
    """This request is out of the public surface's reach."""


class Sdk:
    """The parts that are there, by our name for them."""

    def __init__(self) -> None:
        self._modules: dict[str, Any] = {}
        self._broken: dict[str, str] = {}
        self._parts: dict[str, Any] = {}
        for name, places in PLACES.items():
            found = next((part for part in map(self._look, places) if part is not None), None)
            if found is not None:
                self._parts[name] = found

    def _look(self, place: str) -> Any:
        module, _, name = place.rpartition(".")
        if module not in self._modules:
            self._modules[module] = self._load(module)
        found = getattr(self._modules[module], name, None)
        return None if inspect.ismodule(found) else found

    def _load(self, module: str) -> Any:
        try:
            return importlib.import_module(f"{PACKAGE}.{module}")
        except (Exception, SystemExit) as error:
            self._broken[module] = f"`{PACKAGE}.{module}` does not load: {type(error).__name__}: {error}"
            return None

    def __getitem__(self, name: str) -> Any:
        return self._parts[name]

    def __contains__(self, name: str) -> bool:
        return name in self._parts

    def lacks(self, names: Sequence[str]) -> str:
        """Why these parts cannot be used; empty when all are there."""
        for name in names:
            if name not in self._parts:
                place = PLACES[name][0]
                absent = f"the SDK exports no `{PACKAGE}.{place}`"
                return self._broken.get(place.rpartition(".")[0], absent)
        return ""

    def call(self, name: str, *values: Any, **named: Any) -> Any:
        """Calls a function or class of the SDK. Raises `OutOfReach` if it takes other parameters than these."""
        return fitting(self._parts[name], *values, **named)

    def make(self, name: str, values: dict[str, Any]) -> Any:
        """A value of the SDK's class of this name, its members called as that class calls them."""
        members = inspect.signature(self._parts[name]).parameters
        named = {
            next((own for own in MEMBERS.get(key, (key,)) if own in members), key): value
            for key, value in values.items()
            if value is not None
        }
        return self.call(name, **named)

    def fill(self, name: str, **values: Any) -> Any:
        """Calls with those of the values that the function has a parameter for, by name.

        None means absent from the request: the argument is omitted where that is possible, else an empty text. Raises
        `OutOfReach` if the function has any other required parameter.
        """
        taken = {}
        for own, parameter in inspect.signature(self._parts[name]).parameters.items():
            required = parameter.default is inspect.Parameter.empty
            if own in values and (values[own] is not None or required):
                taken[own] = "" if values[own] is None else values[own]
        return self.call(name, **taken)


def fitting(part: Any, *values: Any, **named: Any) -> Any:
    """Calls a callable of the SDK. Raises `OutOfReach` if it takes other parameters than these."""
    try:
        inspect.signature(part).bind(*values, **named)
    except TypeError as error:
        raise OutOfReach(f"the SDK's `{part.__name__}` has other parameters: {error}") from None
    return part(*values, **named)


def method(value: Any, name: str) -> Any:
    """A method of the SDK's value. Raises `OutOfReach` if the value has none of this name."""
    found = getattr(value, name, None)
    if not callable(found):
        raise OutOfReach(f"the SDK's `{type(value).__name__}` has no `{name}`")
    return found


def member(value: Any, name: str, default: Any = None) -> Any:
    """A member of the SDK's value, by our name for it."""
    for own in MEMBERS.get(name, (name,)):
        if hasattr(value, own):
            return getattr(value, own)
    return default


def package_version() -> str:
    """The version that is really installed."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "not installed"
