"""parity: a conformance and parity test harness. It knows no system; systems are data and adapters."""

VERSION = "0.1.0"
"""The version of parity; pyproject.toml takes it from here."""
