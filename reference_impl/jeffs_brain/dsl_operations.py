"""Operations of the query DSL document, by name: each maps the JSON of a request to the JSON of an answer."""

from typing import Any, Final

from ..decisions import decided
from ..javascript import dates
from ..observer import Observer
from ..operation import Operation
from . import stopwords
from .aliases import expand_aliases
from .anchors import AnchorsDecisions
from .ast import ast_from_json
from .date_formats import date_search_tokens
from .fts5 import compile_to_fts
from .normalise import normalise
from .parser import parse_query
from .temporal import augment_query_with_temporal, expand_temporal

Json = dict[str, Any]


def _normalise(request: Json, observe: Observer) -> Json:
    return {"text": normalise(request["query"], observe=observe)}


def _parse(request: Json, observe: Observer) -> Json:
    return {"ast": parse_query(request["query"], observe=observe).to_json()}


def _expand_aliases(request: Json, observe: Observer) -> Json:
    return {"ast": expand_aliases(ast_from_json(request["ast"]), request["aliases"], observe=observe).to_json()}


def _compile(request: Json, observe: Observer) -> Json:
    return {"match": compile_to_fts(ast_from_json(request["ast"]), observe=observe)}


def _pipeline(request: Json, observe: Observer) -> Json:
    ast = expand_aliases(parse_query(request["query"], observe=observe), request.get("aliases", {}), observe=observe)
    return {"ast": ast.to_json(), "match": compile_to_fts(ast, observe=observe)}


def _stop_words(request: Json, _: Observer) -> Json:
    return {"words": stopwords.words(request["language"])}


def _parse_date(request: Json, _: Observer) -> Json:
    instant = decided(AnchorsDecisions).parse_question_date(request["value"])
    return {"instant": None if instant is None else dates.to_iso_string(instant)}


def _expand(request: Json, observe: Observer) -> Json:
    return expand_temporal(request["question"], request.get("questionDate"), observe=observe).to_json()


def _augment(request: Json, observe: Observer) -> Json:
    return {"query": augment_query_with_temporal(request["question"], request.get("questionDate"), observe=observe)}


def _date_tokens(request: Json, _: Observer) -> Json:
    return {"tokens": date_search_tokens(request.get("value"))}


OPERATIONS: Final[dict[str, Operation]] = {
    "query.normalise": _normalise,
    "query.parse": _parse,
    "query.expandAliases": _expand_aliases,
    "query.compile": _compile,
    "query.pipeline": _pipeline,
    "stopwords.list": _stop_words,
    "temporal.parseDate": _parse_date,
    "temporal.expand": _expand,
    "temporal.augment": _augment,
    "temporal.dateTokens": _date_tokens,
}
