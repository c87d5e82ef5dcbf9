"""Deviations of Jeffs Brain SDKs: one module for each module of the main text."""
