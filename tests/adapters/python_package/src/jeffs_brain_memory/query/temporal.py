"""Question dates."""

from datetime import UTC, datetime


def parse_question_date(value: str) -> datetime:
    return datetime.strptime(value, "%Y-%m-%d").replace(tzinfo=UTC)


def annotate_ordering(text: str) -> str:
    return f"{text} [Note: look for the earliest dated event]" if "first" in text.lower() else text
