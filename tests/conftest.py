"""The shipped corpus, read once a session, and the order of the tests: slow ones first, so that workers end together."""

from __future__ import annotations

import pytest

from harness.corpus.loader import Corpus, load_corpus
from harness.corpus.paths import shipped
from harness.errors import CorpusError


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: builds, installs, waits or reads all of the corpus; not in `make quick`")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def shipped_corpus() -> Corpus:
    """The shipped corpus. One that cannot be loaded fails `test_the_corpus_can_be_loaded` and skips other tests."""
    try:
        return load_corpus(shipped())
    except CorpusError:
        pytest.skip("the corpus cannot be loaded")
