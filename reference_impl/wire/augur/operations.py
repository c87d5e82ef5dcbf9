"""Operations of Augur, by name: each maps the JSON of a request to the JSON of an answer."""

from collections.abc import Mapping, Sequence
from typing import Final

from ...augur import fusion
from ...augur.ad_hoc import AdHocSearches, AdHocTrace
from ...augur.filters import compose_filter
from ...augur.fingerprint import Document, fingerprint_docs
from ...augur.fusion import FusionDecisions, Hit, Side
from ...augur.router import NO_RERANKER, Asked, Capabilities, HeuristicRouter, Strategy
from ...augur.search import Augur, Found, SearchRequest
from ...augur.signals import Signals, compute_signals, detect_language
from ...decisions import decided
from ..operations import Json, Operation
from .scripted import Calls, ReversingReranker, ScriptedAdapter

# Wire name -> field, for the signals that the prior uses.
_PRIOR_SIGNALS = {
    "wordCount": "word_count",
    "isQuestion": "is_question",
    "hasQuotedPhrase": "has_quoted_phrase",
    "hasSpecificTokens": "has_specific_tokens",
    "hasCodeLike": "has_code_like",
}

# Wire name -> field, for the options of a search and of a router.
_LIMITS = {"topK": "top_k", "filter": "filter", "minScore": "min_score"}
_AWARENESS = {"hasReranker": "has_reranker"}


def _clamp(request: Json) -> Json:
    return {"value": decided(FusionDecisions).clamp(request["x"], request["lo"], request["hi"])}


def _top_gap(request: Json) -> Json:
    return {"confidence": fusion.top_gap_normalised(request["scores"])}


def _adapt_weight(request: Json) -> Json:
    vec, kw = request["vecScores"], request["kwScores"]
    return {"weight": fusion.adapt_weight(request["baseWeight"], vec, kw)}


def _pick_vector_weight(request: Json) -> Json:
    return {"weight": decided(FusionDecisions).pick_vector_weight(Signals(**_told(request["signals"], _PRIOR_SIGNALS)))}


def _weighted_rrf(request: Json) -> Json:
    vec, kw = _hits(request["vec"], Side.VECTOR), _hits(request["kw"], Side.KEYWORD)
    fused = fusion.weighted_rrf_fuse(vec, kw, request["vectorWeight"], **_told(request, {"k": "k"}))
    return {"results": [{"id": hit.id, "score": hit.score, "payloadFrom": hit.side.value} for hit in fused]}


def _compose_filter(request: Json) -> Json:
    return {"filter": compose_filter(request["userFilter"], request["autoLang"])}


def _fingerprint_docs(request: Json) -> Json:
    return {"fingerprint": fingerprint_docs(_documents(request["documents"]))}


def _same_fingerprint(request: Json) -> Json:
    left, right = (fingerprint_docs(_documents(request[side])) for side in ("left", "right"))
    return {"same": left == right}


def _compute_signals(request: Json) -> Json:
    found = compute_signals(request["query"])
    return {
        "wordCount": found.word_count,
        "avgWordLen": found.avg_word_len,
        "hasQuotedPhrase": found.has_quoted_phrase,
        "hasSpecificTokens": found.has_specific_tokens,
        "isQuestion": found.is_question,
        "ambiguity": found.ambiguity,
        "hasNamedEntity": found.has_named_entity,
        "hasCodeLike": found.has_code_like,
        "hasDateOrVersion": found.has_date_or_version,
        "questionType": found.question_type,
        "hasNegation": found.has_negation,
        "language": found.language,
    }


def _detect_language(request: Json) -> Json:
    return {"language": detect_language(request["text"])}


def _route(request: Json) -> Json:
    router = _router(request)
    asked, can = _asked(request["request"]), _capabilities(request["capabilities"])
    decision = router.decide(asked, can, **_told(request, _AWARENESS))
    return {
        "strategy": decision.strategy.value,
        "reranked": decision.reranked,
        "reasons": list(decision.reasons),
        "routerName": router.name,
    }


def _decide_rerank(request: Json) -> Json:
    """The reranking part of a decision, for a neutral query and a forced strategy."""
    asked = Asked("pooling", Strategy(request["strategy"]), request.get("latencyBudgetMs"))
    everything = Capabilities(vector=True, keyword=True, hybrid=True)
    decision = _router(request).decide(asked, everything, **_told(request, _AWARENESS))
    return {"reranked": decision.reranked, "saysNoReranker": NO_RERANKER in decision.reasons}


def _router_name(request: Json) -> Json:
    return {"name": _router(request).name}


def _search(request: Json) -> Json:
    calls: Calls = []
    adapter = ScriptedAdapter(calls, _hits(request["vec"], Side.VECTOR), _hits(request["kw"], Side.KEYWORD))
    augur = Augur(
        adapter=adapter,
        can=_capabilities(request["capabilities"]),
        reranker=ReversingReranker(calls) if request.get("reranker") == "reverse" else None,
        router=_router(request),
        **_told(request, {"autoLanguageFilter": "auto_language_filter"}),
    )
    return {**_found(augur.search(_search_request(request["request"]))), "calls": calls}


def _search_ad_hoc(request: Json) -> Json:
    searches = AdHocSearches(request["adapter"], **_told(request, {"adHocCacheSize": "size"}))
    traces = [searches.search(_documents(search.get("documents", []))) for search in request["searches"]]
    return {"traces": [_trace(trace) for trace in traces]}


def _told(plain: Json, fields: Mapping[str, str]) -> Json:
    """The present members, by field; an absent member takes the default of the reference."""
    return {field: plain[name] for name, field in fields.items() if name in plain}


def _hits(plain: Sequence[Json], side: Side) -> list[Hit]:
    return [Hit(item["id"], item["score"], side, item.get("metadata", {})) for item in plain]


def _documents(plain: Sequence[Json]) -> list[Document]:
    return [Document(item["id"], item["content"], item.get("metadata", {})) for item in plain]


def _capabilities(plain: Json) -> Capabilities:
    return Capabilities(plain["vector"], plain["keyword"], plain["hybrid"])


def _router(request: Json) -> HeuristicRouter:
    return HeuristicRouter(**_told(request, {"alwaysRerank": "always_rerank"}))


def _asked(plain: Json) -> Asked:
    forced = plain.get("forceStrategy")
    return Asked(plain["query"], None if forced is None else Strategy(forced), plain.get("latencyBudgetMs"))


def _search_request(plain: Json) -> SearchRequest:
    return SearchRequest(_asked(plain), **_told(plain, _LIMITS))


def _found(found: Found) -> Json:
    applied = {"autoLanguageFilter": found.auto_language} if found.auto_language else {}
    return {
        "results": [{"id": hit.id, "score": hit.score} for hit in found.results],
        "strategy": found.decision.strategy.value,
        "reranked": found.decision.reranked,
        "candidates": found.candidates,
        **applied,
        **_raised(autoLanguageFilterDropped=found.auto_language_dropped),
    }


def _trace(trace: AdHocTrace) -> Json:
    return {
        "adapter": trace.adapter,
        "indexed": trace.indexed,
        **_raised(adHoc=trace.ad_hoc, adHocCacheHit=trace.cache_hit),
    }


def _raised(**flags: bool) -> Mapping[str, bool]:
    """The flags of a trace: true, or absent."""
    return {name: flag for name, flag in flags.items() if flag}


OPERATIONS: Final[dict[str, Operation]] = {
    "augur.clamp": _clamp,
    "augur.topGapNormalized": _top_gap,
    "augur.adaptWeight": _adapt_weight,
    "augur.pickVectorWeight": _pick_vector_weight,
    "augur.weightedRrf": _weighted_rrf,
    "augur.composeFilter": _compose_filter,
    "augur.fingerprintDocs": _fingerprint_docs,
    "augur.sameFingerprint": _same_fingerprint,
    "augur.computeSignals": _compute_signals,
    "augur.detectLanguage": _detect_language,
    "augur.route": _route,
    "augur.decideRerank": _decide_rerank,
    "augur.routerName": _router_name,
    "augur.search": _search,
    "augur.searchAdHoc": _search_ad_hoc,
}
