"""Starter adapters: a folder of templates for each language, with a `skeleton.toml` for its differences. What all skeletons
say is in `wording.toml`, their numbers in `harness/protocol.py`. A new language is a new folder."""
