"""Other readings of the retrieval fusion document's sections "How RRF Works" and "fuseEpisodeResults".

The reading of a negative weight also concerns getFusedEpisodes.
"""

from collections.abc import Callable, Iterator, Sequence

from ...nexus import fusion, retrieval
from ...nexus.fusion import Episode, EpisodeId, Scored
from ...nexus.settings import Settings
from ...observer import Observer, silent
from ...switches import Switches

SWITCHES = Switches("nexus.*")


@SWITCHES.reading("RUL-NEXUS-01", "b", fusion.semantic_scores)
def scores_without_zeros(episodes: Sequence[Episode], weight: float) -> dict[EpisodeId, Scored]:
    """A semantic episode with a contribution of 0 is dropped, as a keyword episode is."""
    scores = {
        episode.id: Scored(episode, fusion.contribution(weight, rank)) for rank, episode in fusion.entries(episodes)
    }
    return {id_: scored for id_, scored in scores.items() if scored.score != 0}


@SWITCHES.reading("RUL-NEXUS-02", "b", fusion.ranked_episodes, wraps=True)
def both_lists_first(
    ranked_episodes: Callable[..., list[Scored]],
    semantic: Sequence[Episode],
    keyword: Sequence[Episode],
    weights: Settings,
    *,
    observe: Observer = silent,
) -> list[Scored]:
    """Every episode in both lists comes before every episode in one list."""
    in_both = {episode.id for episode in semantic} & {episode.id for episode in keyword}
    ranked = ranked_episodes(semantic, keyword, weights, observe=observe)
    return sorted(ranked, key=lambda scored: scored.episode.id not in in_both)


@SWITCHES.reading("RUL-NEXUS-07", "b", fusion.contribution, wraps=True)
def contribution_of_a_weight_from_zero(contribution: Callable[..., float], weight: float, rank: int | None) -> float:
    """A negative weight counts as 0."""
    return contribution(max(weight, 0), rank)


@SWITCHES.reading("RUL-NEXUS-07", "b", retrieval.is_keyword_search_on)
def a_positive_weight_switches_on(settings: Settings) -> bool:
    """A negative keyword weight counts as 0, so it switches the keyword search off."""
    return settings.keyword_weight > 0


@SWITCHES.reading("RUL-NEXUS-19", "b", fusion.entries)
def first_entries(episodes: Sequence[Episode]) -> Iterator[tuple[int, Episode]]:
    """Only the first rank of an id counts."""
    seen: set[EpisodeId] = set()
    for rank, episode in enumerate(episodes, start=1):
        if episode.id not in seen:
            seen.add(episode.id)
            yield rank, episode


@SWITCHES.reading("RUL-NEXUS-20", "b", fusion.cut_to_limit)
def nothing_below_zero(ranked: Sequence[Scored], limit: int | None) -> list[Scored]:
    """A negative limit returns nothing."""
    return list(ranked[: limit if limit is None else max(limit, 0)])
