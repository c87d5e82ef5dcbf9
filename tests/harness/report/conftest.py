"""What the tests of reports share."""

from __future__ import annotations

from collections.abc import Iterator

import browser
import pytest

_PROGRAM = browser.find()
_NO_BROWSER = "no Chromium is here (chromium, chromium-browser, google-chrome), so the page is not tried in a browser"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    if _PROGRAM is None:
        pytest.skip(_NO_BROWSER)
    made = browser.Browser(_PROGRAM, tmp_path_factory.mktemp("browser"))
    yield made
    made.close()
