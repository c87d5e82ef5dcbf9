"""Routing: reranking, capabilities and reasons, for every query and adapter."""

from hypothesis import given
from hypothesis import strategies as st

from harness.model import replace
from reference_impl.augur.router import NO_RERANKER, Asked, Capabilities, HeuristicRouter, Strategy

QUERIES = [
    "pooling",
    'find "exact phrase" here',
    "who maintains ingress",
    "deploy without downtime today",
    "it is on the shelf",
]

queries = st.sampled_from(QUERIES) | st.text()
budgets = st.none() | st.floats(0, 2000)
asked = st.builds(Asked, queries, st.none() | st.sampled_from(Strategy), budgets)
adapters = st.builds(Capabilities, st.booleans(), st.booleans(), st.booleans())
routers = st.builds(HeuristicRouter, st.booleans())


@given(routers, asked, adapters)
def test_nothing_is_reranked_without_a_reranker(router: HeuristicRouter, question: Asked, can: Capabilities) -> None:
    """Without a reranker the same strategy is chosen and nothing is reranked."""
    without, with_one = (router.decide(question, can, has_reranker) for has_reranker in (False, True))
    assert not without.reranked
    assert without.strategy is with_one.strategy
    assert (NO_RERANKER in without.reasons) == with_one.reranked


@given(asked, adapters)
def test_always_rerank_without_a_budget(question: Asked, can: Capabilities) -> None:
    """With alwaysRerank and no budget every query is reranked."""
    assert HeuristicRouter(always_rerank=True).decide(replace(question, latency_budget_ms=None), can).reranked


@given(routers, queries, st.sampled_from([Strategy.KEYWORD, Strategy.VECTOR, Strategy.HYBRID]), adapters)
def test_forced_strategy(router: HeuristicRouter, query: str, forced: Strategy, can: Capabilities) -> None:
    """A forced strategy is taken as it is, on any adapter."""
    assert router.decide(Asked(query, forced), can).strategy is forced


@given(routers, queries, adapters)
def test_strategy_is_one_that_the_adapter_has(router: HeuristicRouter, query: str, can: Capabilities) -> None:
    """A chosen keyword strategy has a keyword side, a chosen hybrid one both sides."""
    strategy = router.decide(Asked(query), can).strategy
    assert strategy is not Strategy.RERANK
    assert strategy is not Strategy.KEYWORD or can.keyword
    assert strategy is not Strategy.HYBRID or can.fuses
