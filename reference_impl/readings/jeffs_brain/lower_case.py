"""Another reading of the lower case of queries on the retry ladder and of slugs."""

from ...jeffs_brain import retry_ladder
from ...switches import Switches

SWITCHES = Switches("retry.*", "trigram.*", "retrieval.search")


@SWITCHES.reading("RUL-B152", "b", retry_ladder.lower_case)
def in_simple_lower_case(text: str) -> str:
    """Every character has one lower-case character: i for U+0130, and no final sigma."""
    return "".join(character.lower()[0] for character in text)
