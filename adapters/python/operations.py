"""Every operation of the contract: what its request must hold, which parts of the SDK it rests on, the call of the SDK.

Nothing here computes an answer of its own.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from observed import PIPELINE, apply_ranking, unanimity
from retrieval import search
from sdk import PATTERNS, OutOfReach, Sdk, member

Request = dict[str, Any]

TEXT, OBJECT, LIST, NUMBER = str, dict, list, (int, float)
HINT_LINE = re.compile(r"\[[^\]:]*: ([^\]]+)\]")


@dataclass(frozen=True)
class Operation:
    """`takes`: the fields that a request must have, with their types; `needs`: parts of the SDK."""

    takes: dict[str, Any]
    needs: tuple[str, ...]
    answer: Callable[[Sdk, Request], Request]


def normalise(sdk: Sdk, request: Request) -> Request:
    """The exported function where there is one, else the raw text that the parser keeps."""
    if "normalise" in sdk:
        return {"text": sdk.call("normalise", request["query"])}
    return {"text": sdk.call("parse", request["query"]).raw}


def parse(sdk: Sdk, request: Request) -> Request:
    return {"ast": ast_json(sdk.call("parse", request["query"]))}


def expand_aliases(sdk: Sdk, request: Request) -> Request:
    expanded = sdk.call("expand aliases", made(sdk, request["ast"]), sdk.call("alias table", request["aliases"]))
    return {"ast": ast_json(expanded)}


def compile_(sdk: Sdk, request: Request) -> Request:
    return {"match": sdk.call("compile", made(sdk, request["ast"]))}


def pipeline(sdk: Sdk, request: Request) -> Request:
    ast = sdk.call("parse", request["query"])
    if "aliases" in request:
        ast = sdk.call("expand aliases", ast, sdk.call("alias table", request["aliases"]))
    return {"ast": ast_json(ast), "match": sdk.call("compile", ast)}


def made(sdk: Sdk, ast: Request) -> Any:
    """The SDK's own AST; it has no operator where its operator is empty."""
    tokens = [sdk.call("token", token["kind"], token["text"], token.get("operator", "")) for token in ast["tokens"]]
    return sdk.call("AST", raw=ast["raw"], tokens=tokens, has_operators=ast["hasOperators"])


def ast_json(ast: Any) -> Request:
    tokens = [
        {"kind": token.kind, "text": token.text} | ({"operator": token.operator} if token.operator else {})
        for token in ast.tokens
    ]
    return {"raw": ast.raw, "tokens": tokens, "hasOperators": ast.has_operators}


def stop_words(sdk: Sdk, request: Request) -> Request:
    return {"words": list(sdk.call("stop words", request["language"]))}


def parse_date(sdk: Sdk, request: Request) -> Request:
    """The SDK raises `ValueError` for a text that is no date."""
    try:
        found = sdk.call("parse date", request["value"])
    except ValueError:
        found = None
    return {"instant": None if found is None else instant(found)}


def instant(found: datetime) -> str:
    if found.tzinfo is None:
        raise OutOfReach("the SDK's date has no time zone, so it names no instant")
    return found.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def expand_temporal(sdk: Sdk, request: Request) -> Request:
    """The SDK lists the resolved dates in a line of their own, without an ordering note; no line: nothing is resolved."""
    line = sdk.fill("temporal hints", question=request["question"], question_date=request.get("questionDate"))
    if line is None:
        return {"dateHints": [], "resolved": False}
    found = HINT_LINE.fullmatch(line)
    if found is None:
        raise OutOfReach(f"the line of resolved dates has a form that is not known: {line}")
    return {"dateHints": found[1].split(", "), "resolved": True}


def augment(sdk: Sdk, request: Request) -> Request:
    query = sdk.fill("augment", question=request["question"], question_date=request.get("questionDate"))
    return {"query": query}


def date_tokens(sdk: Sdk, request: Request) -> Request:
    return {"tokens": list(sdk.fill("date tokens", value=request.get("value")))}


def fuse(sdk: Sdk, request: Request) -> Request:
    lists = [[candidate(sdk, given) for given in one] for one in request["lists"]]
    fused = sdk.call("fuse", lists, request["k"]) if "k" in request else sdk.call("fuse", lists)
    return {"results": [result_json(one) for one in fused]}


def candidate(sdk: Sdk, given: Request) -> Any:
    values = {key: given[key] for key in ("id", "path", "title", "summary", "content")}
    if "bm25Rank" in given:
        values |= {"bm25_rank": given["bm25Rank"], "have_bm25_rank": True}
    if "vectorSimilarity" in given:
        values |= {"vector_similarity": given["vectorSimilarity"], "have_vector_sim": True}
    return sdk.make("candidate", values)


def result_json(result: Any) -> Request:
    return {key: member(result, key) for key in ("id", "path", "title", "summary", "content", "score")}


def document_text(sdk: Sdk, request: Request) -> Request:
    return {"text": sdk.call("document text", sdk.make("result", request))}


def matches(sdk: Sdk, request: Request) -> Request:
    pattern = request["pattern"]
    if lacking := sdk.lacks([pattern]):
        raise OutOfReach(lacking)
    return {"matches": sdk[pattern].search(request["text"]) is not None}


def detect(sdk: Sdk, request: Request) -> Request:
    intent = sdk.call("detect intent", request["query"])
    return {"preferenceQuery": intent.preference_query, "concreteFactQuery": intent.concrete_fact_query}


def multiplier(sdk: Sdk, request: Request) -> Request:
    """The product, and each factor as the product of an intent that has the other one switched off."""
    query, note = request["query"], sdk.make("result", request["note"])
    intent = sdk.call("detect intent", query)

    def weight(given: Any) -> float:
        product: float = sdk.fill("intent multiplier", intent=given, query=query, r=note)
        return product

    return {
        "preference": weight(dataclasses.replace(intent, concrete_fact_query=False)),
        "concreteFact": weight(dataclasses.replace(intent, preference_query=False)),
        "combined": weight(intent),
    }


def reweight(sdk: Sdk, request: Request) -> Request:
    keys = ("id", "path", "title", "summary", "content", "score", "metadata")
    given = [sdk.make("result", {key: one[key] for key in keys if key in one}) for one in request["results"]]
    return {"results": [result_json(one) for one in sdk.call("reweight", request["query"], given)]}


def sanitise(sdk: Sdk, request: Request) -> Request:
    return {"text": sdk.call("sanitise", request["query"])}


def strongest_term(sdk: Sdk, request: Request) -> Request:
    """The SDK returns an empty text where no term exists."""
    return {"term": sdk.call("strongest term", request["query"]) or None}


def query_tokens(sdk: Sdk, request: Request) -> Request:
    return {"tokens": list(sdk.call("query tokens", request["query"]))}


def slug_text(sdk: Sdk, request: Request) -> Request:
    return {"text": sdk.call("slug text", request["path"])}


def grams(sdk: Sdk, request: Request) -> Request:
    return {"grams": list(sdk.call("trigrams", request["text"]))}


def jaccard(sdk: Sdk, request: Request) -> Request:
    a, b = (sdk.call("trigrams", request[key]) for key in ("a", "b"))
    return {"similarity": sdk.call("jaccard", a, b)}


def trigram_search(sdk: Sdk, request: Request) -> Request:
    keys = ("id", "path", "title", "summary", "content")
    chunks = [sdk.make("trigram chunk", {key: chunk[key] for key in keys}) for chunk in request["chunks"]]
    hits = sdk.call("trigram index", chunks).search(request["tokens"], request["limit"])
    return {"hits": [{"id": hit.id, "path": hit.path, "similarity": hit.similarity} for hit in hits]}


AST = ("AST", "token")
QUERY = {"query": TEXT}

OPERATIONS = {
    "query.normalise": Operation(QUERY, ("parse",), normalise),
    "query.parse": Operation(QUERY, ("parse",), parse),
    "query.expandAliases": Operation(
        {"ast": OBJECT, "aliases": OBJECT}, ("expand aliases", "alias table", *AST), expand_aliases
    ),
    "query.compile": Operation({"ast": OBJECT}, ("compile", *AST), compile_),
    "query.pipeline": Operation(QUERY, ("parse", "expand aliases", "alias table", "compile"), pipeline),
    "stopwords.list": Operation({"language": TEXT}, ("stop words",), stop_words),
    "temporal.parseDate": Operation({"value": TEXT}, ("parse date",), parse_date),
    "temporal.expand": Operation({"question": TEXT}, ("temporal hints",), expand_temporal),
    "temporal.augment": Operation({"question": TEXT}, ("augment",), augment),
    "temporal.dateTokens": Operation({}, ("date tokens",), date_tokens),
    "fusion.rrf": Operation({"lists": LIST}, ("fuse", "candidate"), fuse),
    "rerank.unanimity": Operation({"bm25": LIST, "vector": LIST}, PIPELINE, unanimity),
    "rerank.documentText": Operation(
        {"title": TEXT, "summary": TEXT, "content": TEXT}, ("document text", "result"), document_text
    ),
    "rerank.apply": Operation({"results": LIST, "topN": NUMBER, "ranking": OBJECT}, PIPELINE, apply_ranking),
    "intent.matches": Operation({"pattern": TEXT, "text": TEXT}, (), matches),
    "intent.detect": Operation(QUERY, ("detect intent",), detect),
    "intent.multiplier": Operation(
        {"query": TEXT, "note": OBJECT}, ("detect intent", "intent multiplier", "result"), multiplier
    ),
    "intent.reweight": Operation({"query": TEXT, "results": LIST}, ("reweight", "result"), reweight),
    "retry.sanitise": Operation(QUERY, ("sanitise",), sanitise),
    "retry.strongestTerm": Operation(QUERY, ("strongest term",), strongest_term),
    "retry.queryTokens": Operation(QUERY, ("query tokens",), query_tokens),
    "trigram.slugText": Operation({"path": TEXT}, ("slug text",), slug_text),
    "trigram.grams": Operation({"text": TEXT}, ("trigrams",), grams),
    "trigram.jaccard": Operation({"a": TEXT, "b": TEXT}, ("trigrams", "jaccard"), jaccard),
    "trigram.search": Operation(
        {"chunks": LIST, "tokens": LIST, "limit": NUMBER}, ("trigram index", "trigram chunk"), trigram_search
    ),
    "retrieval.search": Operation({"index": OBJECT, "request": OBJECT}, (*PIPELINE, "index query"), search),
}

RANKS = ["/results/*/bm25Rank", "/results/*/vectorSimilarity", "/results/*/rerankScore"]

# Parts that the SDK's values cannot show: a rank or a score is a plain number, and absent reads as 0.
UNOBSERVABLE = {
    "temporal.expand": ["/originalQuery", "/expandedQuery"],
    "fusion.rrf": RANKS,
    "rerank.unanimity": ["/shortcut/ids"],
    "intent.reweight": RANKS,
    "retrieval.search": [*RANKS, "/calls/*/documents/*/text", "/timed"],
}


def unsupported(sdk: Sdk) -> dict[str, str]:
    """The operations that rest on what the SDK lacks, with the reason."""
    lacking = {name: sdk.lacks(operation.needs) for name, operation in OPERATIONS.items()}
    if not any(pattern in sdk for pattern in PATTERNS):
        lacking["intent.matches"] = sdk.lacks(PATTERNS)
    return {name: reason for name, reason in lacking.items() if reason}


def malformed(operation: Operation, request: Any) -> str:
    """What is wrong with a request's shape; empty when every field that is needed is there."""
    if not isinstance(request, dict):
        return "params must be an object"
    wrong = [field for field, kind in operation.takes.items() if not isinstance(request.get(field), kind)]
    return f"`{wrong[0]}` is missing or of another type" if wrong else ""
