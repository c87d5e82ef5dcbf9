"""parity: a conformance and parity test harness. It knows no system; systems are data and adapters."""

import os
import sys

__all__ = ["VERSION"]

_SUFFIX = ".dist-info"

TYPE_CHECKING = False  # importing `typing` takes a tenth of the time of `parity --help`
if TYPE_CHECKING:
    VERSION: str


def __getattr__(name: str) -> str:
    """`VERSION`, found at its first use."""
    if name != "VERSION":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    global VERSION
    VERSION = _installed_version()
    return VERSION


def _installed_version() -> str:
    """The version in the name of the distribution's folder; `0+unknown` in a source tree that was never installed.

    `importlib.metadata` finds the same, and takes 20 ms to import.
    """
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - `pathlib` takes another 5 ms
        except OSError:
            continue
        for name in names:
            if name.startswith("parity-") and name.endswith(_SUFFIX):
                return name.removesuffix(_SUFFIX).partition("-")[2]
    return "0+unknown"
