"""Operations of Tideline, by name: each maps the JSON of a request to the JSON of an answer."""

from typing import Final

from ...decisions import decided
from ...observer import observe
from ...tideline import blocks, bm25, hrr, hybrid, origin, score, threats, tokens
from ...tideline.blocks import BlocksDecisions
from ...tideline.hrr import HrrDecisions
from ...tideline.records import Recalled
from ...tideline.tokens import TokensDecisions
from ..operations import Json, Operation
from . import values as wire

EMBEDDER = "The model-free embedder (HRR)"


def _tokenize(request: Json) -> Json:
    observe(bm25.SECTION, "words", tokens.words(request["text"]))
    return {"tokens": tokens.tokenize(request["text"])}


def _stopwords(_: Json) -> Json:
    return {"stopwords": sorted(decided(TokensDecisions).stopwords())}


def _features(request: Json) -> Json:
    return {"features": decided(HrrDecisions).features(request["text"])}


def _embed(request: Json) -> Json:
    observe(EMBEDDER, "features", decided(HrrDecisions).features(request["text"]))
    return {"vector": hrr.embed(request["text"])}


def _shape(request: Json) -> Json:
    vector = hrr.embed(request["text"])
    return {"dimensions": len(vector), "norm": hrr.norm(vector)}


def _cosine(request: Json) -> Json:
    return {"cosine": wire.number_json(hrr.cosine(request["a"], request["b"]))}


def _text_similarity(request: Json) -> Json:
    rule = decided(HrrDecisions)
    observe(EMBEDDER, "features", [rule.features(request["a"]), rule.features(request["b"])])
    return {"cosine": hrr.cosine(hrr.embed(request["a"]), hrr.embed(request["b"]))}


def _effective_score(request: Json) -> Json:
    return {"effective": score.effective_score(wire.durability_of(request["record"]), request["now"])}


def _modulator(request: Json) -> Json:
    return {"modulator": score.modulator(request["effectiveScore"])}


def _trust_factor(request: Json) -> Json:
    return {"trust": score.trust_factor(request.get("sourceType"), request.get("confidence"))}


def _bm25(request: Json) -> Json:
    options = request.get("options", {})
    modulate, breakdown = options.get("modulate", True), options.get("breakdown", False)
    hits = bm25.search(wire.records_of(request), request["query"], request["now"], modulate=modulate)
    return {"results": [wire.lexical_json(hit, breakdown=breakdown) for hit in hits]}


def _recalled(request: Json) -> list[Recalled]:
    embedder, settings = wire.embedder_of(request["embedder"]), wire.settings_of(request.get("options", {}))
    return hybrid.recall(wire.records_of(request), request["query"], request["now"], embedder, settings)


def _recall(request: Json) -> Json:
    return {"results": [wire.recalled_json(found) for found in _recalled(request)]}


def _ranking(request: Json) -> Json:
    return {"ids": [found.record.memory_id for found in _recalled(request)]}


def _proportion(request: Json) -> Json:
    scores = {found.record.memory_id: found.score for found in _recalled(request)}
    return {"proportion": scores[request["of"]] / scores[request["to"]]}


def _search(request: Json) -> Json:
    records, now, options = wire.records_of(request), request["now"], request["options"]
    viewer, limit = wire.origin_of(options.get("origin")), int(options.get("limit", hybrid.DEFAULT_LIMIT))
    found = origin.search(records, request["query"], now, viewer, limit)
    after = origin.reinforced(records, found, now) if options.get("markAccessed", True) else records
    results = [{"id": recalled.record.memory_id, "score": recalled.score} for recalled in found]
    return {"results": results, "state": [wire.state_json(record) for record in after]}


def _origin_match(request: Json) -> Json:
    return {"match": origin.matches(wire.origin_of(request["recordOrigin"]), wire.origin_of(request["filter"]))}


def _auto_recall_origin(request: Json) -> Json:
    found = origin.auto_recall_origin(
        sender_is_owner=request["senderIsOwner"],
        route=wire.route_of(request.get("channelApprovalRoute")),
        session_key=request["sessionKey"],
    )
    return {"origin": wire.origin_json(found)}


def _context(request: Json) -> Json:
    block = blocks.context(
        wire.records_of(request),
        request["query"],
        request["now"],
        scanner=decided(BlocksDecisions).no_scan if request["threatScan"] == "none" else threats.scan,
        viewer=wire.origin_of(request.get("origin")),
        limit=int(request.get("limit", hybrid.DEFAULT_LIMIT)),
        max_chars=request.get("maxChars", blocks.DEFAULT_MAX_CHARS),
    )
    return {"block": block}


def _auto_recall(request: Json) -> Json:
    """``accessUnchanged`` is true by construction: the recall takes values and returns a text."""
    viewer = wire.origin_of(request["origin"])
    block = blocks.auto_recall(wire.records_of(request), request["query"], request["now"], viewer)
    return {"untrustedBlock": block, "accessUnchanged": True}


def _auto_recall_facts(request: Json) -> Json:
    viewer = wire.origin_of(request["origin"])
    found = blocks.auto_recalled(wire.records_of(request), request["query"], request["now"], viewer)
    return {"ids": [recalled.record.memory_id for recalled in found]}


def _threat_scan(request: Json) -> Json:
    return {"threats": threats.scan(request["content"], threats.Scope[request["scope"].upper()])}


OPERATIONS: Final[dict[str, Operation]] = {
    "tideline.tokenize": _tokenize,
    "tideline.stopwords": _stopwords,
    "tideline.features": _features,
    "tideline.hrrEmbed": _embed,
    "tideline.hrrShape": _shape,
    "tideline.cosine": _cosine,
    "tideline.textSimilarity": _text_similarity,
    "tideline.effectiveScore": _effective_score,
    "tideline.modulator": _modulator,
    "tideline.trustFactor": _trust_factor,
    "tideline.bm25": _bm25,
    "tideline.recall": _recall,
    "tideline.ranking": _ranking,
    "tideline.proportion": _proportion,
    "tideline.search": _search,
    "tideline.originMatch": _origin_match,
    "tideline.autoRecallOrigin": _auto_recall_origin,
    "tideline.context": _context,
    "tideline.autoRecall": _auto_recall,
    "tideline.autoRecallFacts": _auto_recall_facts,
    "tideline.threatScan": _threat_scan,
}
