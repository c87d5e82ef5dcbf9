"""Starter adapters: a folder of templates for each language, with a `skeleton.toml` for its differences. A new language is
a new folder."""
