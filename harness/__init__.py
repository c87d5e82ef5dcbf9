"""parity: a conformance and parity test harness. It knows no system; systems are data and adapters."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("parity")
except PackageNotFoundError:  # a source tree that was never installed
    VERSION = "0+unknown"

__all__ = ["VERSION"]
