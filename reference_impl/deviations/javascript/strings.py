"""Strings of other languages in place of JavaScript's."""

from ...javascript import strings
from ...switches import Switches

SWITCHES = Switches("query.*", "intent.*", "retry.*", "trigram.*", "retrieval.search")


@SWITCHES.deviation("simple-lower-case", strings.to_lower_case)
def in_simple_lower_case(text: str) -> str:
    """Every character has one lower-case character: i for U+0130, and no final sigma."""
    return "".join(character.lower()[0] for character in text)
