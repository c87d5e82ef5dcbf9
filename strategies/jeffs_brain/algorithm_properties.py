"""Properties that the algorithms document implies."""

from __future__ import annotations

from itertools import chain
from typing import Final

from ..common.choices import Json
from ..common.property import Answer, Properties, falls, is_near, units

PROPERTIES: Final = Properties()


def _ids(results: list[Json]) -> list[str]:
    return [result["id"] for result in results]


@PROPERTIES.of("fusion.rrf", "RRF-10")
def scores_fall(_: Json, answer: Json, __: Answer) -> bool:
    return falls([result["score"] for result in answer["results"]])


@PROPERTIES.of("fusion.rrf", "RRF-04")
def each_id_is_fused_once(request: Json, answer: Json, __: Answer) -> bool:
    ids = _ids(answer["results"])
    return len(set(ids)) == len(ids) and set(ids) == set(_ids(list(chain.from_iterable(request["lists"]))))


@PROPERTIES.of("fusion.rrf", "RRF-13")
def the_order_of_the_lists_does_not_change_the_scores(request: Json, answer: Json, other: Answer) -> bool:
    reverse = other("fusion.rrf", {**request, "lists": request["lists"][::-1]})["results"]
    scores = {result["id"]: result["score"] for result in reverse}
    return all(is_near(result["score"], scores[result["id"]]) for result in answer["results"])


@PROPERTIES.of("fusion.rrf", "RRF-09")
def a_further_list_lowers_no_score(request: Json, answer: Json, other: Answer) -> bool:
    lists = request["lists"]
    more = other("fusion.rrf", {**request, "lists": [*lists, lists[0]] if lists else []})["results"]
    scores = {result["id"]: result["score"] for result in more}
    return all(scores[result["id"]] >= result["score"] for result in answer["results"])


@PROPERTIES.of("rerank.unanimity", "UNAN-05")
def a_shortcut_has_the_head_of_bm25(request: Json, answer: Json, __: Answer) -> bool:
    found = answer["shortcut"]
    return found is None or (found["ids"] == request["bm25"][:3] and 0 <= found["agreements"] <= 3)


@PROPERTIES.of("rerank.unanimity", "UNAN-03")
def agreements_are_symmetric(request: Json, answer: Json, other: Answer) -> bool:
    found = other("rerank.unanimity", {**request, "bm25": request["vector"], "vector": request["bm25"]})["shortcut"]
    counts = [one and one["agreements"] for one in (answer["shortcut"], found)]
    return bool(counts[0] == counts[1])


@PROPERTIES.of("rerank.unanimity", "UNAN-04")
def a_lower_limit_keeps_the_shortcut(request: Json, answer: Json, other: Answer) -> bool:
    lower = {**request, "agreeMin": request.get("agreeMin", 2) - 1}
    return answer["shortcut"] is None or other("rerank.unanimity", lower) == answer


@PROPERTIES.of("rerank.documentText", "RERANK-05c")
def a_snippet_is_a_short_part_of_the_content(request: Json, answer: Json, __: Answer) -> bool:
    if request["title"] or request["summary"]:
        return bool(answer["text"].startswith(request["title"]) and answer["text"].endswith(request["summary"]))
    head = answer["text"].encode("utf-16-le", "surrogatepass")
    return units(answer["text"]) <= 280 and head in request["content"].encode("utf-16-le", "surrogatepass")


@PROPERTIES.of("rerank.apply", "RERANK-02")
def the_tail_follows_unchanged(request: Json, answer: Json, __: Answer) -> bool:
    ids = _ids(request["results"])
    tail = ids[request["topN"] :]
    head = answer["ids"][: len(answer["ids"]) - len(tail)]
    return answer["ids"][len(head) :] == tail and set(head) <= set(ids[: request["topN"]])


@PROPERTIES.of("intent.detect", "INTENT-06")
def a_lower_case_query_has_the_same_intents(request: Json, answer: Json, other: Answer) -> bool:
    return other("intent.detect", {"query": request["query"].lower()}) == answer


@PROPERTIES.of("intent.multiplier", "INTENT-02")
def the_combined_multiplier_is_the_product(_: Json, answer: Json, __: Answer) -> bool:
    return is_near(answer["combined"], answer["preference"] * answer["concreteFact"])


@PROPERTIES.of("intent.multiplier", "INTENT-03")
def an_absent_intent_multiplies_by_one(request: Json, answer: Json, other: Answer) -> bool:
    found = other("intent.detect", {"query": request["query"]})
    preference = found["preferenceQuery"] or answer["preference"] == 1
    return bool(preference and (found["concreteFactQuery"] or answer["concreteFact"] == 1))


@PROPERTIES.of("intent.multiplier", "INTENT-12b")
def letter_case_of_the_texts_has_no_effect(request: Json, answer: Json, other: Answer) -> bool:
    note = {**request["note"]}
    note |= {name: note[name].upper() for name in ("title", "summary", "content") if note[name].isascii()}
    return other("intent.multiplier", {**request, "note": note}) == answer


@PROPERTIES.of("intent.reweight", "INTENT-01")
def scores_are_multiplied_and_sorted(request: Json, answer: Json, other: Answer) -> bool:
    intents = other("intent.detect", {"query": request["query"]})
    if not any(intents.values()):
        ids, scores = _ids(request["results"]), [result["score"] for result in request["results"]]
        return ids == _ids(answer["results"]) and scores == [result["score"] for result in answer["results"]]
    before = {result["id"]: result for result in request["results"]}
    for result in answer["results"]:
        note = {name: result[name] for name in ("path", "title", "summary", "content")}
        factor = other("intent.multiplier", {"query": request["query"], "note": note})["combined"]
        if not is_near(result["score"], before[result["id"]]["score"] * factor):
            return False
    return len(answer["results"]) == len(before) and falls([result["score"] for result in answer["results"]])


@PROPERTIES.of("retry.sanitise", "LADDER-14")
def a_sanitised_query_stays(_: Json, answer: Json, other: Answer) -> bool:
    return other("retry.sanitise", {"query": answer["text"]}) == answer


@PROPERTIES.of("retry.strongestTerm", "LADDER-15")
def the_strongest_term_is_the_first_of_the_longest(request: Json, answer: Json, other: Answer) -> bool:
    tokens = other("retry.queryTokens", request)["tokens"]
    return bool(answer["term"] == max(tokens, key=units, default=None))


@PROPERTIES.of("retry.strongestTerm", "LADDER-10")
def sanitising_first_gives_the_same_term(request: Json, answer: Json, other: Answer) -> bool:
    return other("retry.strongestTerm", {"query": other("retry.sanitise", request)["text"]}) == answer


@PROPERTIES.of("retry.queryTokens", "LADDER-15c")
def tokens_are_distinct_and_long(_: Json, answer: Json, __: Answer) -> bool:
    tokens = answer["tokens"]
    return len(set(tokens)) == len(tokens) and all(units(token) >= 3 for token in tokens)


@PROPERTIES.of("trigram.slugText", "TRIGRAM-03d")
def a_slug_text_stays(_: Json, answer: Json, other: Answer) -> bool:
    return "  " not in answer["text"] and other("trigram.slugText", {"path": answer["text"]}) == answer


@PROPERTIES.of("trigram.grams", "TRIGRAM-04")
def grams_have_three_units_and_add_up(request: Json, answer: Json, other: Answer) -> bool:
    grams = answer["grams"]
    joined = other("trigram.grams", {"text": f"{request['text']} xyz"})["grams"]
    is_sum = set(joined) == {*grams, *other("trigram.grams", {"text": "xyz"})["grams"]}
    return is_sum and len(set(grams)) == len(grams) and all(units(gram) == 3 for gram in grams)


@PROPERTIES.of("trigram.jaccard", "TRIGRAM-06")
def similarity_is_symmetric_and_one_for_equal_texts(request: Json, answer: Json, other: Answer) -> bool:
    left, right = request["a"], request["b"]
    itself = other("trigram.jaccard", {"a": left, "b": left})["similarity"]
    has_grams = bool(other("trigram.grams", {"text": left})["grams"])
    swapped = other("trigram.jaccard", {"a": right, "b": left})
    return swapped == answer and 0 <= answer["similarity"] <= 1 and itself == (1 if has_grams else 0)


@PROPERTIES.of("trigram.search", "TRIGRAM-08")
def hits_are_near_and_sorted(request: Json, answer: Json, __: Answer) -> bool:
    similarities = [hit["similarity"] for hit in answer["hits"]]
    return falls(similarities) and len(similarities) <= request["limit"] and all(one >= 0.3 for one in similarities)


@PROPERTIES.of("trigram.search", "TRIGRAM-09")
def a_limit_cuts_the_hits(request: Json, answer: Json, other: Answer) -> bool:
    every = other("trigram.search", {**request, "limit": 1000})["hits"]
    return bool(every[: request["limit"]] == answer["hits"])


@PROPERTIES.of("trigram.search", "TRIGRAM-07")
def the_order_of_the_tokens_has_no_effect(request: Json, answer: Json, other: Answer) -> bool:
    return other("trigram.search", {**request, "tokens": request["tokens"][::-1]}) == answer


@PROPERTIES.of("retrieval.search", "PIPE-14")
def top_k_cuts_the_results(request: Json, answer: Json, other: Answer) -> bool:
    every = other("retrieval.search", {**request, "request": {**request["request"], "topK": 1000}})
    return bool(every["results"][: request["request"].get("topK", 10)] == answer["results"])


@PROPERTIES.of("retrieval.search", "PIPE-12")
def scores_fall_without_a_reranker(_: Json, answer: Json, __: Answer) -> bool:
    return answer["trace"]["reranked"] or falls([result["score"] for result in answer["results"]])


@PROPERTIES.of("retrieval.search", "TRACE-03b")
def the_trace_has_a_reason_if_nothing_is_reranked(_: Json, answer: Json, __: Answer) -> bool:
    trace = answer["trace"]
    states = [trace["reranked"], "rerankSkippedReason" in trace]
    return not all(states) and (any(states) or "errorStage" in trace)


@PROPERTIES.of("retrieval.search", "LADDER-03")
def only_the_last_attempt_has_hits(_: Json, answer: Json, __: Answer) -> bool:
    attempts = answer["trace"]["attempts"]
    return all(row["hits"] == 0 for row in attempts[:-1]) and [row["strategy"] for row in attempts[:1]] in (
        [],
        ["initial"],
    )


@PROPERTIES.of("retrieval.search", "PIPE-08")
def every_call_has_the_limit_of_the_request(request: Json, answer: Json, __: Answer) -> bool:
    limit = request["request"].get("candidateK", 60)
    return all(call.get("limit", limit) == limit for call in answer["calls"])


@PROPERTIES.of("retrieval.search", "UNAN-06")
def a_shortcut_calls_no_reranker(_: Json, answer: Json, __: Answer) -> bool:
    is_called = any(call["to"] == "rerank" for call in answer["calls"])
    return is_called == ("rerankSkippedReason" not in answer["trace"])
