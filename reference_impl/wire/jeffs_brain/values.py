"""JSON of the operations of the algorithms document ↔ values. Requests are valid for their schemas."""

from collections.abc import Mapping, Sequence

from ...decisions import Decisions
from ...jeffs_brain.candidates import Candidate, Chunk, Result
from ...jeffs_brain.rerank import RankedDocument
from ...jeffs_brain.search import HybridTrace, Mode, SearchRequest, SearchResponse, VectorHit
from ..operations import Json
from .scripted import Calls, KeywordIndex, Ranking, RecordingIndex, ScriptedEmbedder, ScriptedKeywords, ScriptedReranker

# Wire name -> field, for the optional members of a request.
_LIMITS = {"topK": "top_k", "candidateK": "candidate_k", "rerankTopN": "rerank_top_n"}
_FLAGS = {"rerank": "rerank", "skipRetryLadder": "skip_retry_ladder"}


def chunk_of(plain: Json) -> Chunk:
    """Chunk of its JSON; an absent text is empty. The document gives the member `metadata` no effect."""
    tags = tuple(plain.get("tags", ()))
    title, summary, content = (plain.get(name, "") for name in ("title", "summary", "content"))
    return Chunk(plain["id"], plain["path"], title, summary, content, tags, plain.get("metadata", {}))


def chunks_of(plain: Sequence[Json]) -> tuple[Chunk, ...]:
    """Chunks of a JSON list, in order."""
    return tuple(chunk_of(chunk) for chunk in plain)


def candidate_of(plain: Json) -> Candidate:
    """Candidate of its JSON; an absent rank or similarity is None."""
    rank, similarity = plain.get("bm25Rank"), plain.get("vectorSimilarity")
    return Candidate.of(chunk_of(plain), bm25_rank=rank, vector_similarity=similarity)


def note_of(plain: Json) -> Candidate:
    """Note of its JSON, as a candidate; its id is its path."""
    return Candidate.of(chunk_of({"id": plain["path"], **plain}))


def result_of(plain: Json) -> Result:
    """Result of its JSON, with its scores."""
    return Result(candidate_of(plain), plain["score"], plain.get("rerankScore"))


def result_json(result: Result) -> Json:
    """JSON of a result: ``{id, path, title, summary, content, score, bm25Rank?, vectorSimilarity?, rerankScore?}``."""
    found = result.candidate
    told = {
        "bm25Rank": found.bm25_rank,
        "vectorSimilarity": found.vector_similarity,
        "rerankScore": result.rerank_score,
    }
    texts = {"title": found.title, "summary": found.summary, "content": found.content}
    return {"id": found.id, "path": found.path, **texts, "score": result.score, **_present(told)}


def ranking_of(plain: Json) -> Ranking | None:
    """Ranking of ``{hits}`` or ``{order: "reverse"}``; None for ``{fails: true}``."""
    if "fails" in plain:
        return None
    hits = plain.get("hits")
    return Ranking(None if hits is None else [RankedDocument(hit["index"], hit["score"]) for hit in hits])


def keywords_of(plain: Json) -> ScriptedKeywords:
    """Scripted keyword index of ``{script, otherwise?, fails?}``."""
    fails = plain.get("fails", [])
    return ScriptedKeywords(
        script={match: chunks_of(chunks) for match, chunks in plain["script"].items()},
        otherwise=chunks_of(plain.get("otherwise", ())),
        failing=frozenset() if fails is True else frozenset(fails),
        always_fails=fails is True,
    )


def index_of(keywords: KeywordIndex, vector: Json | None, calls: Calls) -> RecordingIndex:
    """The keyword index, combined with the scripted vector index of the member ``vector``."""
    plain = vector or {}
    hits = [VectorHit(chunk_of(hit), hit["similarity"]) for hit in plain.get("hits", ())]
    return RecordingIndex(calls, keywords, hits, vector_fails=plain.get("fails") == "search")


def embedder_of(vector: Json | None, calls: Calls) -> ScriptedEmbedder | None:
    """The scripted embedder of the member ``vector``; None if it is absent."""
    if vector is None:
        return None
    return ScriptedEmbedder(calls, vector.get("embedding", (1.0, 0.0)), fails=vector.get("fails") == "embed")


def reranker_of(ranking: Json | None, calls: Calls) -> ScriptedReranker | None:
    """The scripted reranker of the member ``ranking``; None if it is absent."""
    return None if ranking is None else ScriptedReranker(calls, ranking_of(ranking))


def response_json(response: SearchResponse, calls: Calls) -> Json:
    """JSON of a response: ``{results, trace, calls, timed}``; ``timed`` lists the legs with an elapsed time."""
    return {
        "results": [result_json(result) for result in response.results],
        "trace": _trace_json(response.trace),
        "calls": calls,
        "timed": list(response.trace.elapsed),
    }


def _trace_json(trace: HybridTrace) -> Json:
    told = {
        "rerankSkippedReason": trace.rerank_skipped_reason,
        "unanimity": None if trace.agreements is None else {"agreements": trace.agreements},
        "errorStage": trace.error_stage,
    }
    attempts = [{"strategy": row.strategy, "query": row.query, "hits": row.hits} for row in trace.attempts]
    return {
        "mode": trace.mode.value,
        "compiledQuery": trace.compiled_query,
        "bm25Count": trace.bm25_count,
        "vectorCount": trace.vector_count,
        "fellBackToBM25": trace.fell_back_to_bm25,
        "reranked": trace.reranked,
        "attempts": attempts,
        **_present(told),
    }


def _present(members: Mapping[str, object]) -> Json:
    return {name: value for name, value in members.items() if value is not None}


class AlgorithmWireDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def search_request_of(self, plain: Json) -> SearchRequest:
        """Search request of its JSON; an absent member takes the default of the document, so reranking is on (RUL-B137).

        RUL-B132: the member `questionDate` has no effect, because the pipeline parses the query of the request. Section
        "Hybrid pipeline".
        """
        settings: Json = {field: int(plain[name]) for name, field in _LIMITS.items() if name in plain}
        settings |= {field: plain[name] for name, field in _FLAGS.items() if name in plain}
        return SearchRequest(plain["query"], Mode(plain.get("mode", "auto")), **settings)
