"""``router.ts``: the retriever for a query, and the decision to rerank its results.

Pull request, section "HeuristicRouter alwaysRerank option", and its follow-ups, which pass the presence of a reranker.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ..decisions import Decisions, decided
from ..observer import observe
from .signals import ENGLISH, QuestionType, Signals, compute_signals

SECTION = "HeuristicRouter"

VERY_SHORT: Final = 2
SHORT: Final = 6
AMBIGUOUS: Final = 0.6
LATENCY_FLOOR_MS: Final = 800

NO_RERANKER: Final = "reranking skipped (no reranker configured)"


class Strategy(StrEnum):
    """The retrieval strategy of a query; ``rerank`` is used only if the caller forces it."""

    KEYWORD = "keyword"
    VECTOR = "vector"
    HYBRID = "hybrid"
    RERANK = "rerank"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Search methods of a storage adapter; ``hybrid``: the adapter fuses both methods itself."""

    vector: bool
    keyword: bool
    hybrid: bool

    @property
    def fuses(self) -> bool:
        """Whether a hybrid search is possible, in the adapter or from both methods."""
        return self.hybrid or (self.vector and self.keyword)


@dataclass(frozen=True, slots=True)
class Asked:
    """The part of a request that routing uses; no budget means no time limit."""

    query: str
    force_strategy: Strategy | None = None
    latency_budget_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A route, with its reasons in the order of the rules."""

    strategy: Strategy
    reranked: bool
    reasons: tuple[str, ...]
    signals: Signals


@dataclass(frozen=True, slots=True)
class HeuristicRouter:
    """Router with rules in a fixed order; with ``always_rerank``, keyword queries are reranked too."""

    always_rerank: bool = field(default_factory=lambda: decided(RouterDecisions).always_rerank_by_default())

    @property
    def name(self) -> str:
        """The name of this router in traces. Section "HeuristicRouter alwaysRerank option"."""
        return decided(RouterDecisions).router_name(self.always_rerank)

    def decide(self, asked: Asked, can: Capabilities, has_reranker: bool = True) -> Decision:
        """Chooses the strategy by the first matching rule, then decides on reranking. ``router.ts``."""
        rule, always = decided(RouterDecisions), self.always_rerank
        signals = compute_signals(asked.query)
        strategy, reasons = _strategy(asked.force_strategy, signals, can)
        observe(SECTION, "strategy", {"strategy": strategy.value, "reasons": list(reasons)})
        budget_ms, has_reranker = rule.limits_of_reranking(asked.latency_budget_ms, has_reranker, always)
        wanted = self._wants_reranking(strategy, signals, budget_ms)
        reranked = wanted and has_reranker
        observe(SECTION, "reranking", {"wanted": wanted, "reranked": reranked})
        last = self._rerank_reason(strategy, signals, wanted, has_reranker)
        return Decision(strategy, reranked, (*reasons, *([last] if last else [])), signals)

    def _wants_reranking(self, strategy: Strategy, signals: Signals, budget_ms: float | None) -> bool:
        rule = decided(RouterDecisions)
        if strategy is Strategy.KEYWORD and not self.always_rerank and not signals.has_negation:
            return False
        return rule.is_sufficient(budget_ms) or rule.ignores_budget(strategy, signals, self.always_rerank)

    def _rerank_reason(self, strategy: Strategy, signals: Signals, wanted: bool, has_reranker: bool) -> str | None:
        if not wanted:
            return None if strategy is Strategy.KEYWORD else "reranking skipped (latency budget)"
        if not has_reranker:
            return NO_RERANKER
        if self.always_rerank and strategy is Strategy.KEYWORD:
            return "alwaysRerank=true → multi-stage rerank on keyword strategy"
        if signals.has_negation and strategy is not Strategy.RERANK:
            return "negation detected → reranking forced"
        return "reranking enabled (latency budget allows)"


Choice = tuple[Strategy, str]


def _strategy(forced: Strategy | None, signals: Signals, can: Capabilities) -> tuple[Strategy, Sequence[str]]:
    """Rules 1 to 3 are final; the choice of a later rule falls back to vector if the adapter does not support it."""
    if forced is not None:
        return forced, [f"forceStrategy={forced}"]
    if not can.keyword and not can.hybrid:
        return Strategy.VECTOR, ["adapter is vector-only"]
    if signals.language != ENGLISH:
        return Strategy.VECTOR, [decided(RouterDecisions).foreign_reason(signals.language)]
    strategy, reason = _literal(signals, can) or _question(signals) or _unclear(signals, can)
    if strategy is Strategy.HYBRID and not can.fuses:
        return Strategy.VECTOR, [reason, "hybrid not supported by adapter, falling back to vector"]
    if strategy is Strategy.KEYWORD and not can.keyword:
        return Strategy.VECTOR, [reason, "keyword not supported by adapter, falling back to vector"]
    return strategy, [reason]


def _literal(signals: Signals, can: Capabilities) -> Choice | None:
    """Rules 4 to 7: queries whose exact words matter."""
    is_short = signals.word_count <= SHORT
    if signals.has_quoted_phrase:
        return Strategy.KEYWORD, "query contains quoted phrase"
    if signals.has_code_like and is_short:
        return Strategy.KEYWORD, "short query with code-like syntax → keyword"
    if (signals.has_specific_tokens or signals.has_date_or_version) and is_short:
        what = "date/version/RFC token" if signals.has_date_or_version else "specific identifiers without code syntax"
        strategy = Strategy.HYBRID if can.fuses else Strategy.KEYWORD
        return strategy, f"short query with {what} → hybrid (keyword precision + vector recall)"
    if signals.word_count <= VERY_SHORT:
        strategy = Strategy.KEYWORD if can.keyword else Strategy.VECTOR
        return strategy, "very short query (≤2 tokens) → prefer keyword"
    if signals.has_named_entity and is_short and not signals.is_question:
        return Strategy.KEYWORD, "named entity detected → keyword"
    return None


def _question(signals: Signals) -> Choice | None:
    """Rule 8: questions, by their type."""
    if signals.question_type is QuestionType.PROCEDURAL and signals.word_count >= 5:
        return Strategy.VECTOR, "procedural question (how/why) → semantic search"
    if signals.question_type is QuestionType.DEFINITIONAL and signals.word_count >= 3:
        return Strategy.VECTOR, "definitional question (what is X) → semantic search"
    if signals.question_type is QuestionType.FACTOID and signals.word_count >= 3:
        return Strategy.HYBRID, "factoid question (who/when/where/which) → hybrid"
    if signals.is_question and signals.word_count >= 5:
        return Strategy.VECTOR, "natural-language question → semantic search"
    return None


def _unclear(signals: Signals, can: Capabilities) -> Choice:
    """Rules 9 and 10: all other queries."""
    if signals.ambiguity > AMBIGUOUS:
        return Strategy.VECTOR, "ambiguous query → semantic + rerank"
    strategy = Strategy.HYBRID if can.fuses else Strategy.VECTOR
    return strategy, "default → hybrid (no strong signal either way)"


class RouterDecisions(Decisions):
    """What the pull request and `router.ts` leave open, as adopted."""

    def always_rerank_by_default(self) -> bool:
        """RUL-AUGUR-01: the default of ``alwaysRerank`` is false."""
        return False

    def router_name(self, always_rerank: bool) -> str:
        """RUL-AUGUR-12: the plain name is the name of the router with ``alwaysRerank``."""
        return "heuristic-v1" if always_rerank else "heuristic-v1+fast-keyword"

    def is_sufficient(self, budget_ms: float | None) -> bool:
        """RUL-AUGUR-02: a latency budget of exactly 800 ms is enough for reranking."""
        return budget_ms is None or budget_ms >= LATENCY_FLOOR_MS

    def ignores_budget(self, strategy: Strategy, signals: Signals, always_rerank: bool) -> bool:
        """RUL-AUGUR-03: a forced rerank and, without ``always_rerank``, a negation ignore the latency budget."""
        return strategy is Strategy.RERANK or (signals.has_negation and not always_rerank)

    def limits_of_reranking(
        self, budget_ms: float | None, has_reranker: bool, always_rerank: bool
    ) -> tuple[float | None, bool]:
        """RUL-AUGUR-07: the latency budget and the presence of a reranker also limit ``always_rerank``."""
        return budget_ms, has_reranker

    def foreign_reason(self, language: str) -> str:
        """RUL-AUGUR-10: the reason contains the code of the language."""
        return f"{language} query → semantic search"
