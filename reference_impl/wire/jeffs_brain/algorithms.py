"""Operations of the algorithms document, by name: each maps the JSON of a request to the JSON of an answer."""

from functools import lru_cache
from typing import Final

from ...decisions import Decisions, decided, deciding
from ...jeffs_brain import intent, rerank, retry_ladder, trigram
from ...jeffs_brain.candidates import Chunk
from ...jeffs_brain.fusion import RRF_DEFAULT_K, reciprocal_rank_fusion
from ...jeffs_brain.intent import IntentDecisions
from ...jeffs_brain.rerank import RerankDecisions
from ...jeffs_brain.retrieval import Retrieval
from ...jeffs_brain.retry_ladder import RetryLadderDecisions
from ...observer import observe
from ..operations import Json, Operation
from . import values as wire
from .fts5_index import Fts5Index
from .scripted import Calls, KeywordIndex
from .values import AlgorithmWireDecisions


def _fuse(request: Json) -> Json:
    lists = [[wire.candidate_of(candidate) for candidate in candidates] for candidates in request["lists"]]
    fused = reciprocal_rank_fusion(lists, request.get("k", RRF_DEFAULT_K))
    return {"results": [wire.result_json(result) for result in fused]}


def _unanimity(request: Json) -> Json:
    shortcut = rerank.unanimity_shortcut(request["bm25"], request["vector"], request.get("agreeMin", 2))
    observe("Unanimity shortcut", "agreements", shortcut and shortcut.agreements)
    return {"shortcut": shortcut and {"ids": list(shortcut.ids), "agreements": shortcut.agreements}}


def _document_text(request: Json) -> Json:
    rule = decided(RerankDecisions)
    return {"text": rule.reference_text(request["title"], request["summary"], request["content"])}


def _apply_ranking(request: Json) -> Json:
    results = [wire.result_of({"score": 0.0, **result}) for result in request["results"]]
    ranking = wire.ranking_of(request["ranking"])
    assert ranking is not None
    top_n = int(request["topN"])
    ranked = ranking.over(len(results[:top_n]))
    return {"ids": [result.id for result in rerank.apply_ranking(results, top_n, ranked)]}


def _matches(request: Json) -> Json:
    return {"matches": decided(IntentDecisions).matches(request["pattern"], request["text"])}


def _detect(request: Json) -> Json:
    found = decided(IntentDecisions).detect(request["query"])
    return {"preferenceQuery": found.preference_query, "concreteFactQuery": found.concrete_fact_query}


def _multiplier(request: Json) -> Json:
    rule = decided(IntentDecisions)
    found = rule.detect(request["query"])
    factors = rule.multipliers(found, wire.note_of(request["note"]))
    return {"preference": factors.preference, "concreteFact": factors.concrete_fact, "combined": factors.combined}


def _reweight(request: Json) -> Json:
    results = [wire.result_of(result) for result in request["results"]]
    reweighted = intent.reweight(request["query"], results)
    return {"results": [wire.result_json(result) for result in reweighted]}


def _sanitise(request: Json) -> Json:
    return {"text": retry_ladder.sanitise_query(request["query"])}


def _strongest_term(request: Json) -> Json:
    return {"term": retry_ladder.strongest_term(request["query"])}


def _query_tokens(request: Json) -> Json:
    return {"tokens": decided(RetryLadderDecisions).query_tokens(request["query"])}


def _slug_text(request: Json) -> Json:
    return {"text": trigram.slug_text(request["path"])}


def _grams(request: Json) -> Json:
    return {"grams": sorted(trigram.grams(request["text"]))}


def _jaccard(request: Json) -> Json:
    left, right = trigram.grams(request["a"]), trigram.grams(request["b"])
    observe(trigram.SECTION, "grams", [sorted(left), sorted(right)])
    return {"similarity": trigram.jaccard(left, right)}


def _trigram_search(request: Json) -> Json:
    index = trigram.TrigramIndex(lambda: wire.chunks_of(request["chunks"]))
    hits = index.search(request["tokens"], int(request["limit"]))
    return {"hits": [{"id": hit.chunk.id, "path": hit.chunk.path, "similarity": hit.similarity} for hit in hits]}


def _search(request: Json) -> Json:
    real = request["index"].get("chunks")
    keywords = wire.keywords_of(request["index"]) if real is None else _index_of(tuple(wire.chunks_of(real)))
    return decided(AlgorithmOperationsDecisions).search_over(keywords, request)


@lru_cache(maxsize=1)
def _index_of(chunks: tuple[Chunk, ...]) -> Fts5Index:
    """The index of these chunks; consecutive searches of the same chunks use it again."""
    return Fts5Index(chunks)


OPERATIONS: Final[dict[str, Operation]] = {
    "fusion.rrf": _fuse,
    "rerank.unanimity": _unanimity,
    "rerank.documentText": _document_text,
    "rerank.apply": _apply_ranking,
    "intent.matches": _matches,
    "intent.detect": _detect,
    "intent.multiplier": _multiplier,
    "intent.reweight": _reweight,
    "retry.sanitise": _sanitise,
    "retry.strongestTerm": _strongest_term,
    "retry.queryTokens": _query_tokens,
    "trigram.slugText": _slug_text,
    "trigram.grams": _grams,
    "trigram.jaccard": _jaccard,
    "trigram.search": _trigram_search,
    "retrieval.search": _search,
}


class AlgorithmOperationsDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def search_over(self, keywords: KeywordIndex, request: Json) -> Json:
        """RUL-B142: a search returns notes of every date; a question date of its request does not limit the results."""
        calls: Calls = []
        vector = request.get("vector")
        given = request.get("trigramChunks")
        retrieval = deciding(Retrieval)(
            index=wire.index_of(keywords, vector, calls),
            embedder=wire.embedder_of(vector, calls),
            reranker=wire.reranker_of(request.get("ranking"), calls),
            aliases=request.get("aliases"),
            trigram_chunks=None if given is None else wire.chunks_of(given),
        )
        response = retrieval.search_raw(decided(AlgorithmWireDecisions).search_request_of(request["request"]))
        return wire.response_json(response, calls)
