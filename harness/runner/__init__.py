"""Runs cases on implementations: one event loop, one adapter run for each implementation, one verdict for each case."""
