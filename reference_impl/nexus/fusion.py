"""Retrieval fusion, sections "How RRF Works" and "fuseEpisodeResults": merges two ranked lists. Pure, no I/O."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..decisions import Decisions, decided
from ..observer import observe
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


def rrf_score(semantic_rank: int | None, keyword_rank: int | None, weights: Settings) -> float:
    """The fused score of one episode: the sum of both contributions. Section "How RRF Works"."""
    rule = decided(FusionDecisions)
    return rule.contribution(weights.semantic_weight, semantic_rank) + rule.contribution(
        weights.keyword_weight, keyword_rank
    )


def fuse_episode_results(
    semantic: Sequence[Episode], keyword: Sequence[Episode], weights: Settings, limit: int | None = None
) -> list[Scored]:
    """Merges both lists, best first; equal scores keep their order of appearance, semantic list first. The lists come
    without the recent episodes, so a rank is a position among the remaining ones. A ``limit`` of None keeps all
    episodes. Section "fuseEpisodeResults".
    """
    rule = decided(FusionDecisions)
    return rule.cut_to_limit(rule.ranked_episodes(semantic, keyword, weights), limit)


def ranked_episodes(semantic: Sequence[Episode], keyword: Sequence[Episode], weights: Settings) -> list[Scored]:
    """The merged lists, best first."""
    scores = decided(FusionDecisions).semantic_scores(semantic, weights.semantic_weight)
    observe(SECTION, "semantic pass", _seen(scores))
    _merge_keyword(scores, keyword, weights.keyword_weight)
    observe(SECTION, "keyword pass", _seen(scores))
    return sorted(scores.values(), key=lambda scored: -scored.score)


def _merge_keyword(scores: dict[EpisodeId, Scored], episodes: Sequence[Episode], weight: float) -> None:
    """Adds the keyword contributions; a new episode is added only with a contribution above 0, so never at weight 0."""
    rule = decided(FusionDecisions)
    for rank, episode in rule.entries(episodes):
        gained = rule.contribution(weight, rank)
        known = scores.get(episode.id)
        if known is not None:
            scores[episode.id] = replace(known, score=known.score + gained)
        elif gained > 0:
            scores[episode.id] = Scored(episode, gained)


def _seen(scores: Mapping[EpisodeId, Scored]) -> list[list[object]]:
    return [[id_, scored.score] for id_, scored in scores.items()]


class FusionDecisions(Decisions):
    """What the two sections leave open, as adopted."""

    def contribution(self, weight: float, rank: int | None) -> float:
        """RUL-NEXUS-07: one list contributes ``weight / (k + rank)``, for a negative weight too. Ranks count from 1; an
        episode that is not in the list has the contribution 0. The formula is one division. A weight times a reciprocal
        can differ in the last digit and break a tie. Section "How RRF Works".
        """
        return 0.0 if rank is None else weight / (RRF_K + rank)

    def ranked_episodes(
        self, semantic: Sequence[Episode], keyword: Sequence[Episode], weights: Settings
    ) -> list[Scored]:
        """RUL-NEXUS-02: the fused score alone decides the order, also between one list and both lists."""
        return ranked_episodes(semantic, keyword, weights)

    def cut_to_limit(self, ranked: Sequence[Scored], limit: int | None) -> list[Scored]:
        """RUL-NEXUS-20: a negative limit removes that many episodes from the end, as JavaScript's slice does."""
        return list(ranked[:limit])

    def entries(self, episodes: Sequence[Episode]) -> Iterator[tuple[int, Episode]]:
        """RUL-NEXUS-19: every entry of a list counts with its rank, also one with a repeated id. In the semantic list,
        the last entry of an id replaces the earlier ones. In the keyword list, their contributions are added.
        """
        return enumerate(episodes, start=1)

    def semantic_scores(self, episodes: Sequence[Episode], weight: float) -> dict[EpisodeId, Scored]:
        """RUL-NEXUS-01: every semantic episode is stored, also with a contribution of 0."""
        return {
            episode.id: Scored(episode, self.contribution(weight, rank)) for rank, episode in self.entries(episodes)
        }
