"""Operations of the query DSL document, by name: each maps the JSON of a request to the JSON of an answer."""

from typing import Final

from ...javascript import dates
from ...jeffs_brain import stopwords
from ...jeffs_brain.aliases import expand_aliases
from ...jeffs_brain.anchors import parse_question_date
from ...jeffs_brain.ast import Ast, Kind, Operator, Token
from ...jeffs_brain.date_formats import date_search_tokens
from ...jeffs_brain.fts5 import compile_to_fts
from ...jeffs_brain.normalise import normalise
from ...jeffs_brain.parser import parse_query
from ...jeffs_brain.temporal import augment_query_with_temporal, expand_temporal
from ..operations import Json, Operation


def token_from_json(plain: Json) -> Token:
    """The token of its JSON form, as ``Token.to_json`` writes it."""
    operator = plain.get("operator")
    return Token(Kind(plain["kind"]), plain["text"], None if operator is None else Operator(operator))


def ast_from_json(plain: Json) -> Ast:
    """The AST of its JSON form, as ``Ast.to_json`` writes it."""
    return Ast(plain["raw"], tuple(token_from_json(token) for token in plain["tokens"]), plain["hasOperators"])


def _normalise(request: Json) -> Json:
    return {"text": normalise(request["query"])}


def _parse(request: Json) -> Json:
    return {"ast": parse_query(request["query"]).to_json()}


def _expand_aliases(request: Json) -> Json:
    return {"ast": expand_aliases(ast_from_json(request["ast"]), request["aliases"]).to_json()}


def _compile(request: Json) -> Json:
    return {"match": compile_to_fts(ast_from_json(request["ast"]))}


def _pipeline(request: Json) -> Json:
    ast = expand_aliases(parse_query(request["query"]), request.get("aliases", {}))
    return {"ast": ast.to_json(), "match": compile_to_fts(ast)}


def _stop_words(request: Json) -> Json:
    return {"words": stopwords.words(request["language"])}


def _parse_date(request: Json) -> Json:
    instant = parse_question_date(request["value"])
    return {"instant": None if instant is None else dates.to_iso_string(instant)}


def _expand(request: Json) -> Json:
    return expand_temporal(request["question"], request.get("questionDate")).to_json()


def _augment(request: Json) -> Json:
    return {"query": augment_query_with_temporal(request["question"], request.get("questionDate"))}


def _date_tokens(request: Json) -> Json:
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
