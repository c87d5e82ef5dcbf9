"""Fuzzing: generated requests, sent to every implementation; differences that nobody knows, shrunk and grouped."""
