"""The pipeline of ts 0.2.0: errors of the legs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from reference_impl.jeffs_brain.retrieval import Leg, Retrieval
from reference_impl.jeffs_brain.search import HybridTrace, SearchRequest

ACTS_ON = ("retrieval.search",)

_UNRECORDED_BM25: Final = "unrecorded bm25"
_UNRECORDED_VECTOR: Final = "unrecorded vector"
_UNRECORDED: Final = {_UNRECORDED_BM25: "bm25", _UNRECORDED_VECTOR: "vector"}


class LegWithoutFirstError(Retrieval, deviation="first-bm25-error-unrecorded"):
    def retry_if_empty(self, request: SearchRequest, leg: Leg) -> Leg:
        """An error of the first BM25 call is recorded only if the vector leg fails too."""
        found = super().retry_if_empty(request, leg)
        return replace(found, error_stage=_UNRECORDED_BM25) if leg.error_stage else found


class FailedVectorLeg(Retrieval, deviation="first-bm25-error-unrecorded"):
    def failed_vector_leg(self) -> Leg:
        """An unrecorded error of the vector leg counts as the second one."""
        leg = super().failed_vector_leg()
        return leg if leg.error_stage else replace(leg, error_stage=_UNRECORDED_VECTOR)

    def leg_after_failed_rung(self, leg: Leg) -> Leg:
        """An unrecorded error of a rung counts as that of the BM25 leg."""
        found = super().leg_after_failed_rung(leg)
        return found if found.error_stage else replace(found, error_stage=_UNRECORDED_BM25)

    def trace_of_failures(self, trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
        """Both legs are recorded together."""
        stages = [_UNRECORDED.get(stage, stage) for stage in failed]
        recorded = stages if {"bm25", "vector"} <= set(stages) else [one for one in failed if one not in _UNRECORDED]
        return super().trace_of_failures(trace, recorded) if recorded else trace
