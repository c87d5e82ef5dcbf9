"""Operations of nexusAI's retrieval fusion, by name: each maps the JSON of a request to the JSON of an answer."""

from collections.abc import Mapping
from typing import Any, Final

from ...decisions import decided
from ...nexus import settings as constants
from ...nexus.episodes import EpisodeStore, QueryRefused, StoredEpisode
from ...nexus.fusion import Episode, fuse_episode_results, rrf_score
from ...nexus.retrieval import get_fused_episodes
from ...nexus.scope import SECTION as SCOPE
from ...nexus.scope import ScopeDecisions, Session, fts_session_ids, parse_session_ids
from ...nexus.settings import Patched, Settings, patch_settings
from ...observer import observe
from ..operations import Json, Operation
from .scripted import FtsCall, ScriptedMemory


def _rrf_score(request: Json) -> Json:
    return {"score": rrf_score(request["semanticRank"], request["keywordRank"], _settings_of(request))}


def _fuse(request: Json) -> Json:
    semantic, keyword = ([Episode(row["id"], row) for row in request[side]] for side in ("semantic", "keyword"))
    fused = fuse_episode_results(semantic, keyword, _settings_of(request), request.get("limit"))
    return {"episodes": [scored.episode.row for scored in fused], "scores": [scored.score for scored in fused]}


def _get_fused(request: Json) -> Json:
    return _fused_under(_settings_of(request.get("settings", {})), request)


def _fused_under(settings: Settings, request: Json) -> Json:
    memory = ScriptedMemory(request["ftsIds"])
    session, listed = Session(request["sessionId"]), request.get("projectSessionIds")
    scope = [session.id] if listed is None else decided(ScopeDecisions).scope_in_project(session, listed)
    fused = get_fused_episodes(
        memory, request["semanticIds"], request["recentIds"], scope, request["semanticLimit"], settings
    )
    ids = [scored.episode.id for scored in fused]
    return {"ids": ids, "ftsCall": _fts_call_json(memory.fts_call), "fetchedById": memory.fetched}


def _fts_scope(request: Json) -> Json:
    session = Session(request["session"]["id"], request["session"].get("projectId"))
    return {"sessionIds": fts_session_ids(session, request["projectSessionIds"])}


def _parse_session_ids(request: Json) -> Json:
    return {"ids": parse_session_ids(request["sessionIds"])}


def _fts_search(request: Json) -> Json:
    stored = (
        StoredEpisode(row["id"], row["session_id"], row["user_message"], row["ai_response"])
        for row in request["episodes"]
    )
    scope = request.get("sessionIds")
    observe(SCOPE, "scope", scope)
    with EpisodeStore(stored) as store:
        try:
            return {"ids": store.search_episodes(request["query"], request["limit"], scope)}
        except QueryRefused as refused:
            return {"error": str(refused)}


def _patch_settings(request: Json) -> Json:
    return _patched_json(patch_settings(_settings_of(request["current"]), request["patch"]))


def _get_settings(_request: Json) -> Json:
    return _settings_json(Settings())


def _constants(_request: Json) -> Json:
    names = ("RRF_K", "SEMANTIC_WEIGHT", "KEYWORD_WEIGHT")
    return {name: getattr(constants, name) for name in names}


def _serve_requests(request: Json) -> Json:
    """One service from its start: each request uses the settings that the earlier requests left."""
    settings = Settings()
    answers: list[Json] = []
    for one in request["requests"]:
        if "patchSettings" in one:
            patched = patch_settings(settings, one["patchSettings"])
            settings = patched.settings
            answers.append(_patched_json(patched))
        elif "getFused" in one:
            answers.append(_fused_under(settings, one["getFused"]))
        else:
            answers.append(_settings_json(settings))
    return {"answers": answers}


def _settings_of(plain: Mapping[str, Any]) -> Settings:
    """The two weights; an absent one takes its default."""
    return Settings(
        plain.get("semanticWeight", constants.SEMANTIC_WEIGHT), plain.get("keywordWeight", constants.KEYWORD_WEIGHT)
    )


def _settings_json(settings: Settings) -> Json:
    return {"semanticWeight": settings.semantic_weight, "keywordWeight": settings.keyword_weight}


def _patched_json(patched: Patched) -> Json:
    return {"accepted": patched.accepted, "settings": _settings_json(patched.settings)}


def _fts_call_json(call: FtsCall | None) -> Json | None:
    return None if call is None else {"limit": call.limit, "sessionIds": list(call.session_ids)}


OPERATIONS: Final[dict[str, Operation]] = {
    "nexus.rrfScore": _rrf_score,
    "nexus.fuse": _fuse,
    "nexus.getFused": _get_fused,
    "nexus.ftsScope": _fts_scope,
    "nexus.parseSessionIds": _parse_session_ids,
    "nexus.ftsSearch": _fts_search,
    "nexus.patchSettings": _patch_settings,
    "nexus.getSettings": _get_settings,
    "nexus.constants": _constants,
    "nexus.serveRequests": _serve_requests,
}
