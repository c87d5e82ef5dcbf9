"""Generates N requests with one text by Hypothesis, and sends none."""

import sys

from hypothesis import given, settings
from hypothesis import strategies as st


@settings(max_examples=int(sys.argv[1]), database=None, deadline=None)
@given(st.fixed_dictionaries({"query": st.text()}))
def generate(request: dict[str, str]) -> None:
    """Takes one request."""
    assert "query" in request


generate()
