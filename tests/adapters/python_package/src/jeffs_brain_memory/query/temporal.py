"""Question dates."""

from datetime import UTC, datetime


def parse_question_date(value: str) -> datetime:
    return datetime.strptime(value, "%Y-%m-%d").replace(tzinfo=UTC)
