"""Properties that the page on retrieval fusion implies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..common.choices import Json
from ..common.property import Answer, Properties, Property, falls, is_near

_TABLE: Final = Properties()


def _key(id_: Any) -> tuple[str, Any]:
    """1 and "1" are different ids."""
    return type(id_).__name__, id_


def _ids(rows: Sequence[Json]) -> list[tuple[str, Any]]:
    return [_key(row["id"]) for row in rows]


@_TABLE.of("nexus.fuse", "NEXUS-FUSE-05")
def scores_fall(_: Json, answer: Json, __: Answer) -> bool:
    return falls(answer["scores"]) and len(answer["scores"]) == len(answer["episodes"])


@_TABLE.of("nexus.fuse", "NEXUS-FUSE-05a")
def a_limit_cuts_the_episodes(request: Json, answer: Json, other: Answer) -> bool:
    every = other("nexus.fuse", {name: value for name, value in request.items() if name != "limit"})
    limit = request.get("limit")
    return bool(every["episodes"][:limit] == answer["episodes"])


@_TABLE.of("nexus.fuse", "NEXUS-FUSE-07")
def every_semantic_episode_stays(request: Json, answer: Json, __: Answer) -> bool:
    ids = _ids(answer["episodes"])
    return len(set(ids)) == len(ids) and ("limit" in request or set(_ids(request["semantic"])) <= set(ids))


@_TABLE.of("nexus.fuse", "NEXUS-RRF-01")
def doubled_weights_double_the_scores(request: Json, answer: Json, other: Answer) -> bool:
    doubled = {name: 2 * request[name] for name in ("semanticWeight", "keywordWeight")}
    found = other("nexus.fuse", {**request, **doubled})
    return bool(
        found["episodes"] == answer["episodes"] and found["scores"] == [2 * score for score in answer["scores"]]
    )


@_TABLE.of("nexus.fuse", "NEXUS-KW0-02")
def no_keyword_weight_adds_no_episode(request: Json, _: Json, other: Answer) -> bool:
    found = other("nexus.fuse", {**request, "keywordWeight": 0})
    return set(_ids(found["episodes"])) <= set(_ids(request["semantic"]))


@_TABLE.of("nexus.rrfScore", "NEXUS-RRF-03")
def the_score_is_the_sum_of_both_sides(request: Json, answer: Json, other: Answer) -> bool:
    sides = [other("nexus.rrfScore", {**request, name: None})["score"] for name in ("semanticRank", "keywordRank")]
    return is_near(answer["score"], sum(sides)) or abs(answer["score"] - sum(sides)) < 1e-18


@_TABLE.of("nexus.getFused", "NEXUS-ARCH-07")
def at_most_the_limit_without_recent_ids(request: Json, answer: Json, __: Answer) -> bool:
    recent = {_key(id_) for id_ in request["recentIds"]}
    ids = {_key(id_) for id_ in answer["ids"]}
    return len(answer["ids"]) <= request["semanticLimit"] and recent.isdisjoint(ids)


@_TABLE.of("nexus.getFused", "NEXUS-SHAPE-03")
def only_other_semantic_ids_are_fetched(request: Json, answer: Json, __: Answer) -> bool:
    recent = {_key(id_) for id_ in request["recentIds"]}
    return bool(answer["fetchedById"] == [id_ for id_ in request["semanticIds"] if _key(id_) not in recent])


@_TABLE.of("nexus.getFused", "NEXUS-KW0-01")
def the_keyword_request_depends_on_its_weight(request: Json, answer: Json, __: Answer) -> bool:
    is_off = request.get("settings", {}).get("keywordWeight", 0) == 0
    call = answer["ftsCall"]
    return is_off if call is None else not is_off and call["limit"] == 2 * request["semanticLimit"]


@_TABLE.of("nexus.patchSettings", "NEXUS-SET-03")
def settings_stay_in_range_and_a_refused_patch_changes_nothing(request: Json, answer: Json, other: Answer) -> bool:
    settings = answer["settings"]
    again = other("nexus.patchSettings", {**request, "current": settings})
    return (
        again == answer
        and all(0 <= weight <= 5 for weight in settings.values())
        and (answer["accepted"] or settings == request["current"])
    )


@_TABLE.of("nexus.parseSessionIds", "NEXUS-SCOPE-05")
def ids_are_read_from_their_own_list(_: Json, answer: Json, other: Answer) -> bool:
    return other("nexus.parseSessionIds", {"sessionIds": ",".join(map(str, answer["ids"]))}) == answer


@_TABLE.of("nexus.ftsScope", "NEXUS-SCOPE-07")
def a_session_without_a_project_is_its_scope(request: Json, answer: Json, __: Answer) -> bool:
    return request["session"].get("projectId") is not None or answer["sessionIds"] == [request["session"]["id"]]


@_TABLE.of("nexus.ftsSearch", "NEXUS-SCOPE-04")
def a_limit_cuts_the_ids(request: Json, answer: Json, other: Answer) -> bool:
    if "error" in answer or request["limit"] < 0:
        return True
    every = other("nexus.ftsSearch", {**request, "limit": 1000}).get("ids")
    if every is None:  # with a limit of 0, FTS5 does not read the expression
        return bool(answer["ids"] == [] and request["limit"] == 0)
    return len(set(every)) == len(every) and every[: request["limit"]] == answer["ids"]


@_TABLE.of("nexus.serveRequests", "NEXUS-SET-06")
def each_request_uses_the_settings_before_it(request: Json, answer: Json, other: Answer) -> bool:
    settings = other("nexus.getSettings", {"fresh": True})
    for one, found in zip(request["requests"], answer["answers"], strict=True):
        if "patchSettings" in one:
            wanted = other("nexus.patchSettings", {"current": settings, "patch": one["patchSettings"]})
            settings = wanted["settings"]
        elif "getFused" in one:
            wanted = other("nexus.getFused", {**one["getFused"], "settings": settings})
        else:
            wanted = settings
        if wanted != found:
            return False
    return True


properties: Final[Sequence[Property]] = tuple(_TABLE.found)
"""Every property."""
