"""Adapters to begin with, a folder of templates for each language; what sets a language apart stands in its
`skeleton.toml`, so that one more is one more folder."""
