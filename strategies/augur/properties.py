"""Properties that the pull request and its follow-ups imply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..common.choices import Json
from ..common.property import Answer, Properties, Property, falls

_TABLE: Final = Properties()


def _is_close(left: float, right: float) -> bool:
    return abs(left - right) <= 1e-9


@_TABLE.of("augur.clamp", "AUGUR-CLAMP-01")
def a_clamped_number_is_in_the_range_and_stays(request: Json, answer: Json, other: Answer) -> bool:
    low, high, value = request["lo"], request["hi"], answer["value"]
    return low > high or (low <= value <= high and other("augur.clamp", {**request, "x": value}) == answer)


@_TABLE.of("augur.topGapNormalized", "AUGUR-GAP-04")
def confidence_is_between_zero_and_one(_: Json, answer: Json, __: Answer) -> bool:
    return bool(0 <= answer["confidence"] <= 1)


@_TABLE.of("augur.topGapNormalized", "AUGUR-CONF-04")
def a_factor_does_not_change_the_confidence(request: Json, answer: Json, other: Answer) -> bool:
    if any(0 < abs(score) < 1e-300 or abs(score) > 1e200 for score in request["scores"]):
        return True
    return other("augur.topGapNormalized", {"scores": [4 * score for score in request["scores"]]}) == answer


@_TABLE.of("augur.topGapNormalized", "AUGUR-CONF-03")
def only_the_first_ten_scores_count(request: Json, answer: Json, other: Answer) -> bool:
    return other("augur.topGapNormalized", {"scores": request["scores"][:10]}) == answer


@_TABLE.of("augur.adaptWeight", "AUGUR-ADAPT-04")
def the_weight_is_in_its_range(_: Json, answer: Json, __: Answer) -> bool:
    return bool(0.1 <= answer["weight"] <= 0.9)


@_TABLE.of("augur.adaptWeight", "AUGUR-ADAPT-03")
def swapped_sides_mirror_the_weight(request: Json, answer: Json, other: Answer) -> bool:
    base = request["baseWeight"]
    if abs(base) > 1e6:
        return True
    swapped = {"baseWeight": 1 - base, "vecScores": request["kwScores"], "kwScores": request["vecScores"]}
    return _is_close(answer["weight"] + other("augur.adaptWeight", swapped)["weight"], 1)


@_TABLE.of("augur.pickVectorWeight", "AUGUR-CONST-02")
def the_prior_is_one_of_four(_: Json, answer: Json, __: Answer) -> bool:
    return answer["weight"] in (0.3, 0.4, 0.5, 0.7)


@_TABLE.of("augur.weightedRrf", "AUGUR-FUSE-06")
def scores_fall(_: Json, answer: Json, __: Answer) -> bool:
    return falls([result["score"] for result in answer["results"]])


@_TABLE.of("augur.weightedRrf", "AUGUR-FUSE-10")
def every_item_stays_once(request: Json, answer: Json, __: Answer) -> bool:
    ids = [result["id"] for result in answer["results"]]
    return len(set(ids)) == len(ids) and set(ids) == {one["id"] for one in [*request["vec"], *request["kw"]]}


@_TABLE.of("augur.weightedRrf", "AUGUR-FUSE-02")
def swapped_sides_have_the_same_scores(request: Json, answer: Json, other: Answer) -> bool:
    sides = [[one["id"] for one in request[name]] for name in ("vec", "kw")]
    if any(len(set(ids)) < len(ids) for ids in sides) or abs(request["vectorWeight"]) > 1e6:
        return True  # a repeated id counts in another way on each side
    swapped = {**request, "vec": request["kw"], "kw": request["vec"], "vectorWeight": 1 - request["vectorWeight"]}
    scores = {result["id"]: result["score"] for result in other("augur.weightedRrf", swapped)["results"]}
    return all(_is_close(result["score"], scores[result["id"]]) for result in answer["results"])


@_TABLE.of("augur.composeFilter", "AUGUR-FILT-02")
def the_keys_of_the_caller_win(request: Json, answer: Json, __: Answer) -> bool:
    given, found = request["userFilter"] or {}, answer["filter"] or {}
    return all(found.get(name) == value for name, value in given.items()) and set(found) <= {*given, "lang"}


@_TABLE.of("augur.fingerprintDocs", "AUGUR-FNV-01")
def the_fingerprint_begins_with_the_count(request: Json, answer: Json, __: Answer) -> bool:
    count, _, digits = answer["fingerprint"].partition(":")
    return bool(count == str(len(request["documents"]))) and digits.isalnum() and int(digits, 36) < 2**32


@_TABLE.of("augur.sameFingerprint", "AUGUR-ADHOC-02")
def ids_and_contents_decide(request: Json, answer: Json, __: Answer) -> bool:
    left, right = ([(one["id"], one["content"]) for one in request[side]] for side in ("left", "right"))
    return left != right or answer["same"]


@_TABLE.of("augur.searchAdHoc", "AUGUR-ADHOC-05")
def the_first_search_of_documents_is_no_hit(request: Json, answer: Json, other: Answer) -> bool:
    seen: set[str] = set()
    for search, trace in zip(request["searches"], answer["traces"], strict=True):
        documents = search.get("documents", [])
        key = other("augur.fingerprintDocs", {"documents": documents})["fingerprint"]
        is_hit = trace.get("adHocCacheHit", False)
        if is_hit and (key not in seen or request.get("adHocCacheSize", 8) < 1):
            return False
        if trace.get("adHoc", False) != bool(documents) or trace["indexed"] != (bool(documents) and not is_hit):
            return False
        seen.add(key)
    return True


@_TABLE.of("augur.detectLanguage", "AUGUR-DETECT-02")
def ascii_text_around_has_no_effect(request: Json, answer: Json, other: Answer) -> bool:
    return other("augur.detectLanguage", {"text": f"abc {request['text']} 123."}) == answer


@_TABLE.of("augur.computeSignals", "AUGUR-SIG-01")
def white_space_around_has_no_effect(request: Json, answer: Json, other: Answer) -> bool:
    return other("augur.computeSignals", {"query": f" \n{request['query']}\u00a0"}) == answer


@_TABLE.of("augur.computeSignals", "AUGUR-SIG-12")
def ambiguity_is_between_zero_and_one(_: Json, answer: Json, __: Answer) -> bool:
    return 0 <= answer["ambiguity"] <= 1 and (answer["isQuestion"] or answer["questionType"] is None)


@_TABLE.of("augur.route", "AUGUR-HASR-02")
def without_a_reranker_nothing_is_reranked(request: Json, answer: Json, other: Answer) -> bool:
    without = other("augur.route", {**request, "hasReranker": False})
    return not without["reranked"] and without["strategy"] == answer["strategy"]


@_TABLE.of("augur.route", "AUGUR-ROUTE-02")
def always_rerank_removes_no_reranking(request: Json, answer: Json, other: Answer) -> bool:
    """A negation ignores the budget only without the option (RUL-AUGUR-03), so requests with a budget do not count."""
    always = other("augur.route", {**request, "alwaysRerank": True})
    return "latencyBudgetMs" in request["request"] or always["reranked"] or not answer["reranked"]


@_TABLE.of("augur.decideRerank", "AUGUR-ROUTE-04")
def a_larger_budget_removes_no_reranking(request: Json, answer: Json, other: Answer) -> bool:
    plain = {name: value for name, value in request.items() if name != "latencyBudgetMs"}
    return other("augur.decideRerank", plain)["reranked"] or not answer["reranked"]


@_TABLE.of("augur.search", "AUGUR-MIN-01")
def results_are_few_and_above_the_least_score(request: Json, answer: Json, __: Answer) -> bool:
    least = request["request"].get("minScore")
    scores = [result["score"] for result in answer["results"]]
    top = request["request"].get("topK", 10)
    return len(scores) <= top and (least is None or all(score >= least for score in scores))


@_TABLE.of("augur.search", "AUGUR-POOL-07")
def a_reranker_is_called_for_a_pool_only(_: Json, answer: Json, __: Answer) -> bool:
    pools = [call["candidates"] for call in answer["calls"] if call["call"] == "rerank"]
    return len(pools) <= 1 and all(pools) and bool(pools) <= answer["reranked"]


properties: Final[Sequence[Property]] = tuple(_TABLE.found)
"""Every property."""
