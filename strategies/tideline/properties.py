"""Properties that the page on recall implies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..common.choices import Json
from ..common.property import Answer, Properties, Property, falls, units

_TABLE: Final = Properties()


@_TABLE.of("tideline.tokenize", "TIDE-BM25-04")
def tokens_are_their_own_tokens(_: Json, answer: Json, other: Answer) -> bool:
    return other("tideline.tokenize", {"text": " ".join(answer["tokens"])}) == answer


@_TABLE.of("tideline.hrrEmbed", "TIDE-HRR-03")
def a_vector_has_length_one(_: Json, answer: Json, __: Answer) -> bool:
    return len(answer["vector"]) == 256 and abs(sum(part * part for part in answer["vector"]) - 1) < 1e-9


@_TABLE.of("tideline.textSimilarity", "TIDE-HRR-07")
def similarity_is_symmetric_and_one_for_equal_texts(request: Json, answer: Json, other: Answer) -> bool:
    swapped = other("tideline.textSimilarity", {"a": request["b"], "b": request["a"]})["cosine"]
    itself = other("tideline.textSimilarity", {"a": request["a"], "b": request["a"]})["cosine"]
    return bool(abs(swapped - answer["cosine"]) < 1e-9 and abs(itself - 1) < 1e-9 and abs(answer["cosine"]) < 1 + 1e-9)


@_TABLE.of("tideline.cosine", "TIDE-VEC-01a")
def a_cosine_is_symmetric_and_bounded(request: Json, answer: Json, other: Answer) -> bool:
    swapped = other("tideline.cosine", {"a": request["b"], "b": request["a"]})
    found = answer["cosine"]
    is_usual = all(1e-100 < abs(part) < 1e100 or part == 0 for part in [*request["a"], *request["b"]])
    return swapped == answer and (not is_usual or abs(found) <= 1 + 1e-9)


@_TABLE.of("tideline.effectiveScore", "TIDE-DECAY-03a")
def an_access_or_a_later_access_lowers_no_score(request: Json, answer: Json, other: Answer) -> bool:
    record, found = request["record"], answer["effective"]
    more = other("tideline.effectiveScore", {**request, "record": {**record, "accessCount": record["accessCount"] + 1}})
    later = {**record, "lastAccessedAt": record["lastAccessedAt"] + 86_400_000}
    newer = other("tideline.effectiveScore", {**request, "record": later})
    return bool(0 <= found <= 1 and more["effective"] >= found - 1e-12 and newer["effective"] >= found - 1e-12)


@_TABLE.of("tideline.modulator", "TIDE-DECAY-02")
def half_of_the_relevance_stays(request: Json, answer: Json, __: Answer) -> bool:
    return bool(0.5 <= answer["modulator"] <= 1 and (request["effectiveScore"] != 0 or answer["modulator"] == 0.5))


@_TABLE.of("tideline.trustFactor", "TIDE-TRUST-12")
def trust_is_at_most_one_and_confidence_lowers_it(request: Json, answer: Json, other: Answer) -> bool:
    plain = other("tideline.trustFactor", {name: value for name, value in request.items() if name != "confidence"})
    return bool(0 <= answer["trust"] <= plain["trust"] <= 1)


@_TABLE.of("tideline.originMatch", "TIDE-ORIGIN-06")
def no_peer_sees_a_fact_of_the_owner(request: Json, answer: Json, __: Answer) -> bool:
    is_peer = (request["filter"] or {}).get("kind") == "channel"
    return not (is_peer and (request["recordOrigin"] or {"kind": "owner"})["kind"] == "owner" and answer["match"])


@_TABLE.of("tideline.autoRecallOrigin", "TIDE-AUTO-01")
def an_unidentified_sender_has_no_origin(request: Json, answer: Json, __: Answer) -> bool:
    is_unknown = not request["senderIsOwner"] and "channelApprovalRoute" not in request
    return (answer["origin"] is None) == is_unknown


@_TABLE.of("tideline.bm25", "TIDE-BM25-01d")
def lexical_scores_fall(_: Json, answer: Json, __: Answer) -> bool:
    return falls([result["score"] for result in answer["results"]])


@_TABLE.of("tideline.bm25", "TIDE-BM25-01c")
def a_repeated_query_has_the_same_scores(request: Json, answer: Json, other: Answer) -> bool:
    return other("tideline.bm25", {**request, "query": f"{request['query']} {request['query']}"}) == answer


@_TABLE.of("tideline.bm25", "TIDE-DECAY-02a")
def decay_removes_no_hit(request: Json, answer: Json, other: Answer) -> bool:
    plain = other("tideline.bm25", {**request, "options": {"modulate": False}})["results"]
    return sorted(one["id"] for one in plain) == sorted(one["id"] for one in answer["results"])


@_TABLE.of("tideline.recall", "TIDE-LANE-05")
def recovered_facts_come_below_every_hit(request: Json, answer: Json, __: Answer) -> bool:
    if request.get("options", {}).get("mmrLambda", 1) < 1:
        return True
    return falls(["lexRank" in result for result in answer["results"]])


@_TABLE.of("tideline.recall", "TIDE-LANE-03")
def the_vector_lane_keeps_the_order_of_the_hits(request: Json, _: Json, other: Answer) -> bool:
    options = {name: value for name, value in request.get("options", {}).items() if name != "mmrLambda"}
    request = {**request, "options": {**options, "limit": 100}}
    found = other("tideline.recall", request)["results"]
    blind = [{**record, "embed": "none"} for record in request["records"]]
    for record in blind:
        record.pop("embedding", None)
    hits = [result["id"] for result in found if "lexRank" in result]
    floor = {**request["options"], "minSim": 2}
    alone = other("tideline.recall", {**request, "records": blind, "options": floor})["results"]
    return hits == [result["id"] for result in alone]


@_TABLE.of("tideline.recall", "TIDE-LANE-08")
def at_most_the_limit_is_recalled(request: Json, answer: Json, __: Answer) -> bool:
    limit = request.get("options", {}).get("limit", 8)
    return len(answer["results"]) <= (limit if limit > 0 else 8)


@_TABLE.of("tideline.ranking", "TIDE-LANE-01")
def the_ranking_is_the_order_of_the_recall(request: Json, answer: Json, other: Answer) -> bool:
    return bool(answer["ids"] == [result["id"] for result in other("tideline.recall", request)["results"]])


@_TABLE.of("tideline.proportion", "TIDE-TRUST-01")
def the_inverse_proportion_is_the_reciprocal(request: Json, answer: Json, other: Answer) -> bool:
    inverse = other("tideline.proportion", {**request, "of": request["to"], "to": request["of"]})["proportion"]
    return bool(abs(answer["proportion"] * inverse - 1) < 1e-9)


@_TABLE.of("tideline.search", "TIDE-AUTO-02a")
def only_recalled_facts_are_accessed(request: Json, answer: Json, __: Answer) -> bool:
    found = {result["id"] for result in answer["results"]}
    marks = request["options"].get("markAccessed", True)
    for record, state in zip(request["records"], answer["state"], strict=True):
        more = 1 if marks and record["memoryId"] in found else 0
        if state["accessCount"] != record["accessCount"] + more:
            return False
    return True


@_TABLE.of("tideline.context", "TIDE-CTX-04")
def the_block_fits_and_its_texts_are_escaped(request: Json, answer: Json, __: Answer) -> bool:
    block = answer["block"]
    if block is None:
        return True
    texts = block
    for record in request["records"]:
        texts = texts.replace(record["segment"], "")  # a segment is not escaped
    return units(block) <= request.get("maxChars", 1200) and "<" not in texts and ">" not in texts


@_TABLE.of("tideline.autoRecall", "TIDE-AUTO-04")
def facts_are_inside_one_pair_of_tags(request: Json, answer: Json, other: Answer) -> bool:
    block = answer["untrustedBlock"]
    ids = other("tideline.autoRecallFacts", request)["ids"]
    if block is None or request["origin"] is None:
        return block is None and ids == []
    inside = block.removeprefix("<untrusted-memory>\n").removesuffix("\n</untrusted-memory>")
    return bool(ids) and "<" not in inside and ">" not in inside


@_TABLE.of("tideline.autoRecallFacts", "TIDE-AUTO-03")
def at_most_five_visible_facts(request: Json, answer: Json, __: Answer) -> bool:
    known = {record["memoryId"] for record in request["records"]}
    return len(answer["ids"]) <= 5 and set(answer["ids"]) <= known


@_TABLE.of("tideline.threatScan", "TIDE-CTX-05b")
def a_larger_scope_reports_more(request: Json, answer: Json, other: Answer) -> bool:
    strict = other("tideline.threatScan", {**request, "scope": "strict"})["threats"]
    return bool([name for name in strict if name in answer["threats"]] == answer["threats"])


properties: Final[Sequence[Property]] = tuple(_TABLE.found)
"""Every property."""
