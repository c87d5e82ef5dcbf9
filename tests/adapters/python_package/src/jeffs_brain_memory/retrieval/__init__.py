"""Fusion, intent, the retry ladder's helpers and a retriever of one rung."""

import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

PREFERENCE_QUERY_RE = re.compile(r"\b(?:recommend|tips?)\b", re.IGNORECASE)
ENUMERATION_OR_TOTAL_QUERY_RE = re.compile(r"\b(?:how many|list)\b", re.IGNORECASE)
FIRST_PERSON_FACT_LOOKUP_RE = re.compile(r"\bdid i\b", re.IGNORECASE)
FACT_LOOKUP_VERB_RE = re.compile(r"\bbought\b", re.IGNORECASE)
PREFERENCE_NOTE_RE = re.compile(r"\bprefers?\b", re.IGNORECASE)
GENERIC_NOTE_RE = re.compile(r"\btips?\b", re.IGNORECASE)
ROLLUP_NOTE_RE = re.compile(r"\bsummary\b", re.IGNORECASE)
ATOMIC_EVENT_NOTE_RE = re.compile(r"\bi\s+bought\b", re.IGNORECASE)
DATE_TAG_RE = re.compile(r"\[date:", re.IGNORECASE)


def augment_query_with_temporal(question: str, question_date: str) -> str:
    return f"{question} {question_date}" if "days ago" in question and question_date else question


def resolved_temporal_hint_line(question: str, question_date: str) -> str | None:
    if not question_date or "0 days ago" not in question:
        return None
    return f"[Resolved: {question_date.replace('-', '/')}]"


@dataclass(slots=True)
class BM25Hit:
    id: str = ""
    path: str = ""
    title: str = ""
    summary: str = ""
    content: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    score: float = 0.0


@dataclass(slots=True)
class VectorHit:
    id: str = ""
    path: str = ""
    title: str = ""
    summary: str = ""
    content: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    similarity: float = 0.0


@dataclass(slots=True)
class TrigramChunk:
    id: str = ""
    path: str = ""
    title: str = ""
    summary: str = ""
    content: str = ""


@dataclass(slots=True)
class RRFCandidate:
    id: str = ""
    path: str = ""
    title: str = ""
    summary: str = ""
    content: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    bm25_rank: int = 0
    have_bm25_rank: bool = False
    vector_similarity: float = 0.0
    have_vector_sim: bool = False


@dataclass(slots=True)
class RetrievedChunk:
    chunk_id: str = ""
    document_id: str = ""
    path: str = ""
    score: float = 0.0
    text: str = ""
    title: str = ""
    summary: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    bm25_rank: int = 0
    vector_similarity: float = 0.0
    rerank_score: float = 0.0


def reciprocal_rank_fusion(lists: list[list[Any]], k: int = 60) -> list[RetrievedChunk]:
    found: dict[str, RetrievedChunk] = {}
    for one in lists:
        for rank, hit in enumerate(one):
            texts = {"path": hit.path, "title": hit.title, "summary": hit.summary, "text": hit.content}
            texts["metadata"] = hit.metadata
            found.setdefault(hit.id, RetrievedChunk(hit.id, hit.id, **texts)).score += 1 / (k + rank + 1)
    return sorted(found.values(), key=lambda chunk: (-chunk.score, chunk.path))


def compose_rerank_text(r: RetrievedChunk) -> str:
    return f"{r.title}\n{r.summary}"


@dataclass(slots=True)
class RetrievalIntent:
    preference_query: bool = False
    concrete_fact_query: bool = False


def detect_retrieval_intent(query: str) -> RetrievalIntent:
    return RetrievalIntent(PREFERENCE_QUERY_RE.search(query) is not None, "how many" in query)


def retrieval_intent_multiplier(intent: RetrievalIntent, query: str, r: RetrievedChunk) -> float:  # noqa: ARG001
    weight = 0.18 if r.metadata.get("superseded_by") else 1.0
    weight *= 2.35 if intent.preference_query and "user-preference-" in r.path else 1.0
    return weight * (2.2 if intent.concrete_fact_query and "user-fact-" in r.path else 1.0)


def reweight_shared_memory_ranking(query: str, results: list[RetrievedChunk]) -> list[RetrievedChunk]:
    intent = detect_retrieval_intent(query)
    weighted = [replace(one, score=one.score * retrieval_intent_multiplier(intent, query, one)) for one in results]
    return sorted(weighted, key=lambda chunk: -chunk.score)


def sanitise_query(q: str) -> str:
    return " ".join(re.sub(r"[^\w\s]+", " ", q).split())


def query_tokens(q: str) -> list[str]:
    return list(dict.fromkeys(word for word in sanitise_query(q).lower().split() if len(word) >= 3))


def strongest_term(q: str) -> str:
    return max(query_tokens(q), key=len, default="")


def slug_text_for(p: str) -> str:
    return sanitise_query(p.lower().rpartition("/")[2].removesuffix(".md"))


def compute_trigrams(text: str) -> set[str]:
    padded = [f"${word}$" for word in text.lower().split()]
    return {word[start : start + 3] for word in padded for start in range(len(word) - 2)}


def jaccard(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0


@dataclass(slots=True)
class TrigramHit:
    id: str = ""
    path: str = ""
    similarity: float = 0.0


@dataclass(slots=True)
class TrigramIndex:
    chunks: list[TrigramChunk]

    def search(self, tokens: list[str], limit: int) -> list[TrigramHit]:
        hits = []
        for chunk in self.chunks:
            grams = compute_trigrams(slug_text_for(chunk.path))
            similarity = max((jaccard(compute_trigrams(token), grams) for token in tokens), default=0.0)
            if similarity >= 0.3:
                hits.append(TrigramHit(chunk.id, chunk.path, similarity))
        return sorted(hits, key=lambda hit: (-hit.similarity, hit.path))[:limit]


def build_trigram_index(chunks: list[TrigramChunk]) -> TrigramIndex:
    return TrigramIndex(chunks)


class Mode(str, Enum):  # noqa: UP042
    AUTO = "auto"
    BM25 = "bm25"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"
    HYBRID_RERANK = "hybrid-rerank"


@dataclass(slots=True)
class Request:
    query: str = ""
    question_date: str = ""
    top_k: int = 0
    mode: Mode = Mode.AUTO
    brain_id: str = ""
    candidate_k: int = 0
    rerank_top_n: int | None = None
    skip_retry_ladder: bool = False


@dataclass(slots=True)
class Attempt:
    rung: int = 0
    mode: Mode = Mode.BM25
    top_k: int = 0
    reason: str = ""
    chunks: int = 0
    query: str = ""


@dataclass(slots=True)
class Trace:
    requested_mode: Mode = Mode.AUTO
    effective_mode: Mode = Mode.AUTO
    fell_back_to_bm25: bool = False
    reranked: bool = False
    rerank_skip_reason: str = ""
    bm25_hits: int = 0
    vector_hits: int = 0
    fused_hits: int = 0
    agreements: int = 0
    unanimity_skipped: bool = False
    error_stage: str = ""


@dataclass(slots=True)
class Response:
    chunks: list[RetrievedChunk] = field(default_factory=list)
    took_ms: int = 0
    trace: Trace = field(default_factory=Trace)
    attempts: list[Attempt] = field(default_factory=list)


class Retriever:
    """One rung, and an intent that is never there. A note of a session after the question's date is dropped."""

    def __init__(
        self,
        *,
        source: Any,
        embedder: Any | None = None,
        reranker: Any | None = None,
        rrf_k: int = 60,
        stopwords: object | None = None,  # noqa: ARG002
        trigram_chunks: list[TrigramChunk] | None = None,
    ) -> None:
        self.source, self.embedder, self.reranker, self.rrf_k = source, embedder, reranker, rrf_k
        self.trigram_chunks = trigram_chunks

    async def retrieve(self, req: Request) -> Response:
        self.use_member(req.query)
        limit = req.candidate_k or 60
        mode = req.mode if req.mode != Mode.AUTO else Mode.HYBRID if self.embedder else Mode.BM25
        trace = Trace(req.mode, mode)
        bm25 = await self.source.search_bm25(req.query, limit, None)
        vector: list[Any] = []
        if self.embedder and mode in (Mode.HYBRID, Mode.HYBRID_RERANK, Mode.SEMANTIC):
            (embedding,) = await self.embedder.embed([req.query])
            try:
                vector = await self.source.search_vector(embedding, limit, None)
            except RuntimeError:
                trace.error_stage = "vector"
        fused = reciprocal_rank_fusion([bm25, vector], self.rrf_k)
        if req.question_date:
            fused = [one for one in fused if one.metadata.get("session_date", "") <= req.question_date]
        trace.bm25_hits, trace.vector_hits, trace.fused_hits = len(bm25), len(vector), len(fused)
        final = await self.reranked(req, [bm25, vector], fused, trace)
        attempt = Attempt(top_k=limit, reason="initial", chunks=len(bm25), query=req.query)
        return Response(final[: req.top_k or 10], trace=trace, attempts=[attempt])

    def use_member(self, query: str) -> None:
        """A query such as `reranker.warm_up` calls that member with nothing, and goes on whatever comes of it."""
        part, _, name = query.partition(".")
        with suppress(Exception):
            getattr(getattr(self, part), name)()

    async def reranked(self, req: Request, legs: list[Any], fused: list[Any], trace: Trace) -> list[Any]:
        if self.reranker is None or req.mode != Mode.HYBRID_RERANK:
            trace.rerank_skip_reason = "mode_off" if self.reranker else "no_reranker"
            return fused
        heads = [[hit.id for hit in leg[:3]] for leg in legs]
        trace.agreements = sum(a == b for a, b in zip(*heads, strict=False)) if min(map(len, heads)) == 3 else 0
        if trace.agreements >= 2:
            trace.unanimity_skipped, trace.rerank_skip_reason = True, "unanimity"
            return fused
        top_n = 20 if req.rerank_top_n is None else req.rerank_top_n
        if not fused[:top_n]:
            trace.rerank_skip_reason = "empty_candidates"
            return fused
        try:
            head = await self.reranker.rerank(req.query, fused[:top_n])
        except RuntimeError:
            trace.rerank_skip_reason = "rerank_failed"
            return fused
        trace.reranked = True
        return [*sorted(head, key=lambda chunk: -chunk.rerank_score), *fused[top_n:]]
