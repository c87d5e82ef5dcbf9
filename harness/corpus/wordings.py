"""Suggested wordings of `rulings.yaml`, and the topics that rulings about one matter share."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..base.near_names import name_remedy
from ..errors import one_line
from ..model import Ruling, Topic
from .cited_names import NameTable
from .entries import Entry, described, duplicate_id, item_not_a_mapping
from .located import Mapping, Sequence

_TOPIC_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def read_topics(head: Entry) -> NameTable[Topic]:
    """The topics of a file of rulings."""
    topics: NameTable[Topic] = NameTable()
    listed = head.mapping.get("topics", Sequence())
    if not isinstance(listed, Sequence):
        message = f"topics is {described(listed)}, not a list."
        head.problem("topics", "not-a-list", message, "Write `topics:` with a list below it.")
        return NameTable(complete=False)
    for item, line in zip(listed, listed.item_lines, strict=True):
        if isinstance(item, Mapping):
            _take_topic(Entry(item, head.shown, head.problems, line=line), topics)
        else:
            head.problems.append(item_not_a_mapping(item, f"{head.shown}:{line}", "A topic"))
            topics.complete = False
    return topics


def _take_topic(entry: Entry, topics: NameTable[Topic]) -> None:
    entry.refuse_unknown({"id", "title", "wording"}, "a topic")
    topic = Topic(entry.text("id"), entry.text("title"), entry.text("wording", required=False))
    if topic.id in topics.found:
        entry.problem("id", *duplicate_id(topic.id, entry.shown))
    elif _TOPIC_ID.fullmatch(topic.id):
        topics.found[topic.id] = topic
    else:
        topics.complete = False
        if topic.id:
            message = f"The id {one_line(topic.id, 60)} does not have the form text-model."
            entry.problem("id", "bad-id", message, "Use lower-case letters, digits and hyphens.")


def topic_of(entry: Entry, topics: NameTable[Topic]) -> Topic | None:
    """The topic that a ruling names; None if it names none, or one that the file does not list."""
    name = entry.text("topic", required=False)
    if name and topics.lacks(name):
        message = f"The topic {one_line(name, 60)} is not among the topics of this file."
        remedy = name_remedy(name, topics.found) if topics.found else "List it under `topics:` at the top of the file."
        entry.problem("topic", "unknown-topic", message, remedy)
    return topics.found.get(name)


def excluded(entry: Entry, ruling: Ruling) -> dict[str, str]:
    """The member `excludes`: for each other reading, the words of the wording, or of the topic's, that exclude it."""
    listed = entry.object("excludes", required=False) or Mapping(entry.line)
    inner = entry.inner(listed, "excludes")
    texts = (ruling.wording, ruling.topic.wording if ruling.topic else "")
    found = {reading: inner.text(reading) for reading in listed}
    for reading, words in found.items():
        if len(ruling.readings) > 1 and reading not in ruling.readings:
            message = f"{ruling.id} has no reading {one_line(reading, 60)}."
            inner.problem(reading, "unknown-reading", message, f"Use one of: {', '.join(ruling.readings)}.")
        elif not any(words in text for text in texts):
            message = f"The words {one_line(words, 60)} are not in the wording."
            inner.problem(reading, "not-in-wording", message, f"Copy the words that exclude reading {reading} from it.")
    return found


def check_topics(head: Entry, topics: NameTable[Topic], rulings: Iterable[Ruling]) -> None:
    """Adds a problem for each topic that no ruling has."""
    used = {ruling.topic.id for ruling in rulings if ruling.topic}
    for id_ in topics.found:
        if id_ not in used:
            message = f"No ruling has the topic {id_}."
            head.problem("topics", "unused-topic", message, "Name it in a ruling (`topic:`), or remove it.")
