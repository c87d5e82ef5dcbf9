"""Retrieval fusion, sections "How RRF Works" and "fuseEpisodeResults": merges two ranked lists. Pure, no I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..observer import Observer, Step, silent
from .settings import RRF_K, Settings

SECTION = "fuseEpisodeResults"

# 1 and "1" are different episodes.
EpisodeId = int | str


@dataclass(frozen=True, slots=True)
class Episode:
    """One row of the episodes table. ``row`` has every column; fusion reads only the id."""

    id: EpisodeId
    row: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """An episode with its fused score."""

    episode: Episode
    score: float


def contribution(weight: float, rank: int | None) -> float:
    """Contribution of one list: ``weight / (k + rank)``, with ranks from 1; 0 for an episode that is not in the list.

    The formula is one division. A weight times a reciprocal can differ in the last digit and break a tie. Section "How RRF
    Works".
    """
    return 0.0 if rank is None else weight / (RRF_K + rank)


def rrf_score(semantic_rank: int | None, keyword_rank: int | None, weights: Settings) -> float:
    """The fused score of one episode: the sum of both contributions. Section "How RRF Works"."""
    return contribution(weights.semantic_weight, semantic_rank) + contribution(weights.keyword_weight, keyword_rank)


def fuse_episode_results(
    semantic: Sequence[Episode],
    keyword: Sequence[Episode],
    weights: Settings,
    limit: int | None = None,
    *,
    observe: Observer = silent,
) -> list[Scored]:
    """Merges both lists, best first; equal scores keep their order of appearance, semantic list first.

    The lists come without the recent episodes, so a rank is a position among the remaining ones. A negative ``limit``
    removes that many episodes from the end, as JavaScript's slice does; None keeps all. Section "fuseEpisodeResults".
    """
    scores = _score_semantic(semantic, weights.semantic_weight)
    observe(Step(SECTION, "semantic pass", _seen(scores)))
    _merge_keyword(scores, keyword, weights.keyword_weight)
    observe(Step(SECTION, "keyword pass", _seen(scores)))
    return sorted(scores.values(), key=lambda scored: -scored.score)[:limit]


def _score_semantic(episodes: Sequence[Episode], weight: float) -> dict[EpisodeId, Scored]:
    """Scores every semantic episode, for any weight; a later row with the same id replaces row and score."""
    return {episode.id: Scored(episode, contribution(weight, rank)) for rank, episode in enumerate(episodes, start=1)}


def _merge_keyword(scores: dict[EpisodeId, Scored], episodes: Sequence[Episode], weight: float) -> None:
    """Adds the keyword contributions; a new episode is added only with a contribution above 0, so never at weight 0."""
    for rank, episode in enumerate(episodes, start=1):
        gained = contribution(weight, rank)
        known = scores.get(episode.id)
        if known is not None:
            scores[episode.id] = replace(known, score=known.score + gained)
        elif gained > 0:
            scores[episode.id] = Scored(episode, gained)


def _seen(scores: Mapping[EpisodeId, Scored]) -> list[list[object]]:
    return [[id_, scored.score] for id_, scored in scores.items()]
