"""Another reading of the lower case of queries on the retry ladder and of slugs."""

from ...jeffs_brain.retry_ladder import RetryLadderDecisions

ACTS_ON = ("retry.*", "trigram.*", "retrieval.search")


class InSimpleLowerCase(RetryLadderDecisions, reading="RUL-B152=b"):
    def lower_case(self, text: str) -> str:
        """Every character has one lower-case character: i for U+0130, and no final sigma."""
        return "".join(character.lower()[0] for character in text)
