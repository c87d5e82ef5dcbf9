"""Other readings of the retrieval fusion document's sections "How RRF Works" and "fuseEpisodeResults".

The reading of a negative weight also concerns getFusedEpisodes.
"""

from collections.abc import Iterator, Sequence

from ...nexus.fusion import Episode, EpisodeId, FusionDecisions, Scored
from ...nexus.retrieval import RetrievalDecisions
from ...nexus.settings import Settings

ACTS_ON = ("nexus.*",)


class ScoresWithoutZeros(FusionDecisions, reading="RUL-NEXUS-01=b"):
    def semantic_scores(self, episodes: Sequence[Episode], weight: float) -> dict[EpisodeId, Scored]:
        """A semantic episode with a contribution of 0 is dropped, as a keyword episode is."""
        scores = {
            episode.id: Scored(episode, self.contribution(weight, rank)) for rank, episode in self.entries(episodes)
        }
        return {id_: scored for id_, scored in scores.items() if scored.score != 0}


class BothListsFirst(FusionDecisions, reading="RUL-NEXUS-02=b"):
    def ranked_episodes(
        self, semantic: Sequence[Episode], keyword: Sequence[Episode], weights: Settings
    ) -> list[Scored]:
        """Every episode in both lists comes before every episode in one list."""
        in_both = {episode.id for episode in semantic} & {episode.id for episode in keyword}
        ranked = super().ranked_episodes(semantic, keyword, weights)
        return sorted(ranked, key=lambda scored: scored.episode.id not in in_both)


class ContributionOfAWeightFromZero(FusionDecisions, reading="RUL-NEXUS-07=b"):
    def contribution(self, weight: float, rank: int | None) -> float:
        """A negative weight counts as 0."""
        return super().contribution(max(weight, 0), rank)


class APositiveWeightSwitchesOn(RetrievalDecisions, reading="RUL-NEXUS-07=b"):
    def is_keyword_search_on(self, settings: Settings) -> bool:
        """A negative keyword weight counts as 0, so it switches the keyword search off."""
        return settings.keyword_weight > 0


class FirstEntries(FusionDecisions, reading="RUL-NEXUS-19=b"):
    def entries(self, episodes: Sequence[Episode]) -> Iterator[tuple[int, Episode]]:
        """Only the first rank of an id counts."""
        seen: set[EpisodeId] = set()
        for rank, episode in enumerate(episodes, start=1):
            if episode.id not in seen:
                seen.add(episode.id)
                yield rank, episode


class NothingBelowZero(FusionDecisions, reading="RUL-NEXUS-20=b"):
    def cut_to_limit(self, ranked: Sequence[Scored], limit: int | None) -> list[Scored]:
        """A negative limit returns nothing."""
        return list(ranked[: limit if limit is None else max(limit, 0)])
