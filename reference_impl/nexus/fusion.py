"""Retrieval fusion, sections "How RRF Works" and "fuseEpisodeResults": two ranked lists become one. Pure, no I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reference_impl.nexus.settings import RRF_K, Settings
from reference_impl.observer import Observer, Step, silent

SECTION = "fuseEpisodeResults"

# 1 and "1" are two episodes.
EpisodeId = int | str


@dataclass(frozen=True, slots=True)
class Episode:
    """One full row of the episodes table. ``row`` holds every column; fusion looks at the id alone."""

    id: EpisodeId
    row: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """An episode with its fused score."""

    episode: Episode
    score: float


def contribution(weight: float, rank: int | None) -> float:
    """What a list gives to an episode at a rank (counted from 1): ``weight / (k + rank)``; 0 where the list lacks it.

    One division. A weight times a reciprocal differs in the last place, and breaks ties that are none here.
    """
    return 0.0 if rank is None else weight / (RRF_K + rank)


def rrf_score(semantic_rank: int | None, keyword_rank: int | None, weights: Settings) -> float:
    """Section "How RRF Works": the fused score of one episode."""
    return contribution(weights.semantic_weight, semantic_rank) + contribution(weights.keyword_weight, keyword_rank)


def fuse_episode_results(
    semantic: Sequence[Episode],
    keyword: Sequence[Episode],
    weights: Settings,
    limit: int | None = None,
    *,
    observe: Observer = silent,
) -> list[Scored]:
    """Merge both lists, best first; equal scores stay in order of sight, semantic list first.

    Both lists have lost the recent episodes already, so a rank is a place in what was left. A negative ``limit`` cuts
    that many from the end, as JavaScript's slice does; None cuts nothing.
    """
    scores = _score_semantic(semantic, weights.semantic_weight)
    observe(Step(SECTION, "semantic pass", _seen(scores)))
    _merge_keyword(scores, keyword, weights.keyword_weight)
    observe(Step(SECTION, "keyword pass", _seen(scores)))
    return sorted(scores.values(), key=lambda scored: -scored.score)[:limit]


def _score_semantic(episodes: Sequence[Episode], weight: float) -> dict[EpisodeId, Scored]:
    """Every semantic episode is in, whatever its weight; a later row of the same id replaces row and score."""
    return {episode.id: Scored(episode, contribution(weight, rank)) for rank, episode in enumerate(episodes, start=1)}


def _merge_keyword(scores: dict[EpisodeId, Scored], episodes: Sequence[Episode], weight: float) -> None:
    """A known episode gains; a new one comes in only by gaining something, so that a weight of 0 lets none in."""
    for rank, episode in enumerate(episodes, start=1):
        gained = contribution(weight, rank)
        known = scores.get(episode.id)
        if known is not None:
            scores[episode.id] = replace(known, score=known.score + gained)
        elif gained > 0:
            scores[episode.id] = Scored(episode, gained)


def _seen(scores: Mapping[EpisodeId, Scored]) -> list[list[object]]:
    return [[id_, scored.score] for id_, scored in scores.items()]
