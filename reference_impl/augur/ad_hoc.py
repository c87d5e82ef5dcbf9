"""``augur.ts``: searches over documents of the request, and the cache of the stores built for them."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from .fingerprint import Document, fingerprint_docs

DEFAULT_SIZE: Final = 8
SCRATCH_ADAPTER: Final = "in-memory"


@dataclass(frozen=True, slots=True)
class AdHocTrace:
    """Trace of one search: the name of the store, and how it was obtained. ``indexed``: the documents were indexed now."""

    adapter: str
    ad_hoc: bool = False
    cache_hit: bool = False
    indexed: bool = False


@dataclass(frozen=True, slots=True)
class AdHocSearches:
    """Searches of one Augur with an LRU cache of ``size`` stores; a size of 0 disables the cache. ``augur.ts``."""

    adapter: str
    size: int = DEFAULT_SIZE
    _kept: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def search(self, documents: Sequence[Document]) -> AdHocTrace:
        """Searches these documents; without documents, the configured store. ``augur.ts``."""
        if not documents:
            return AdHocTrace(self.adapter)
        key = fingerprint_docs(documents)
        if key in self._kept:
            self._kept.move_to_end(key)
            return AdHocTrace(SCRATCH_ADAPTER, ad_hoc=True, cache_hit=True)
        self._keep(key)
        return AdHocTrace(SCRATCH_ADAPTER, ad_hoc=True, indexed=True)

    def _keep(self, key: str) -> None:
        if self.size > 0:
            if len(self._kept) >= self.size:
                self._kept.popitem(last=False)
            self._kept[key] = None
