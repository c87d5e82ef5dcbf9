"""parity: a conformance and parity test harness.

The one import name of the distribution. An installed parity holds the packages `harness` and `reference_impl`; in a
checkout they lie beside this folder, so that both can be read and changed at the top of the repository. The names of
`harness.api` are names of this package; they are loaded at their first use, so that `parity --help` stays fast.
"""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False  # the module `typing` takes a tenth of the time of `parity --help`
if TYPE_CHECKING:
    from typing import Any

IS_INSTALLED = os.path.isdir(os.path.join(os.path.dirname(__file__), "harness"))  # noqa: PTH112, PTH118, PTH120
"""Whether the harness lies inside this package, and not beside it."""

if IS_INSTALLED:
    from .harness.cli.main import main as main  # type: ignore[import-not-found, import-untyped, unused-ignore]
else:
    from harness.cli.main import main as main

if TYPE_CHECKING:
    from .harness.api import *  # noqa: F403  # type: ignore[import-not-found, import-untyped, unused-ignore]


def __getattr__(name: str) -> Any:
    """The version, or a name of the public API."""
    if name in ("VERSION", "__version__"):
        return import_module(f"{__name__}.harness" if IS_INSTALLED else "harness").VERSION
    if not name.startswith("_"):
        api = import_module(f"{__name__}.harness.api" if IS_INSTALLED else "harness.api")
        if name in api.__all__:
            return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The names of the package and of the public API."""
    api = import_module(f"{__name__}.harness.api" if IS_INSTALLED else "harness.api")
    return sorted([*globals(), "VERSION", "__version__", *api.__all__])
