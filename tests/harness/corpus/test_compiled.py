"""The compiled corpus: the same cases and problems as without it, each change noticed, and no damaged file believed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from broken_corpora import ALL, Broken
from msgspec import Raw
from toy_corpus import (
    LOUD,
    REQUIREMENTS,
    RULINGS,
    SAID,
    SAY,
    SHAPES,
    SHOUT,
    TEXTS,
    WORDS,
    everything,
    whole,
    write_corpus,
)

from harness import api
from harness.corpus import compiled
from harness.corpus.loader import Corpus, check_corpus, load_corpus, load_with_gaps, open_corpus
from harness.corpus.paths import shipped
from harness.errors import CorpusError, Problem
from harness.model import Answered, values

pytestmark = pytest.mark.usefixtures("store")


def without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """The corpus, read without a compiled one."""
    with monkeypatch.context() as patch:
        patch.setattr(compiled.CompiledCorpus, "_read", lambda _: compiled._Content())
        patch.setattr(compiled.CompiledCorpus, "store", lambda *_, **__: None)
        return load_with_gaps(folder)


def outcome(load: Callable[[], Corpus]) -> tuple[Problem, ...] | dict[str, object]:
    """The problems of a corpus, else all of it."""
    try:
        corpus = load()
        if corpus.missing_evidence_problems:
            return corpus.missing_evidence_problems
        check_corpus(corpus)
    except CorpusError as error:
        return error.problems
    return everything(corpus)


@pytest.mark.slow
def test_the_shipped_corpus_is_the_same_from_the_store(tmp_path: Path, store: Path, read: list[str]) -> None:
    """Every field of every case, operation, requirement and ruling, every schema and the digest are the same; no file is
    read again."""
    folder = tmp_path / "corpus"  # under another name, since the tests remember the shipped one
    folder.mkdir()
    for name in ("cases", "schemas"):
        (folder / name).symlink_to(shipped() / name)
    parsed = load_with_gaps(folder)
    assert len(list(store.iterdir())) == 1
    read.clear()
    assert everything(load_with_gaps(folder)) == everything(parsed)
    assert read == []


def test_an_unchanged_corpus_is_not_parsed_again(tmp_path: Path, read: list[str]) -> None:
    """The second loading parses no file."""
    folder = write_corpus(tmp_path / "corpus")
    first = everything(load_corpus(folder))
    assert sorted(read) == sorted(TEXTS)
    read.clear()
    assert everything(load_corpus(folder)) == first
    assert read == []


CHANGES: dict[str, tuple[str, str, str, set[str]]] = {
    "a case": (SAID, "hello, count: 1", "hullo, count: 1", {SAID}),
    "a requirement": (REQUIREMENTS, "comes back in capitals", "comes back as shouted", {*TEXTS}),
    "a ruling": (RULINGS, "severity: low", "severity: high", {*TEXTS}),
    "a fixture": (WORDS, "- two", "- three", {*TEXTS}),
    "a schema": (SHOUT, '"unclassified"', '"unclassified", "loud"', {*TEXTS}),
    "a comment": (LOUD, "suite:", "# louder\nsuite:", {LOUD}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_is_noticed(
    change: str, tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch, store: Path
) -> None:
    """A changed case file alone is read again; a change of anything that cases depend on reads its whole system."""
    file, old, new, expected = CHANGES[change]
    folder = write_corpus(tmp_path / "corpus")
    before = everything(load_corpus(folder))
    assert old in TEXTS[file]
    (folder / file).write_text(TEXTS[file].replace(old, new, 1), "utf-8")
    read.clear()
    corpus = load_corpus(folder)
    assert {*read} == expected
    now = everything(corpus)
    assert now == everything(without(folder, monkeypatch))
    assert now["digest"] != before["digest"]
    read.clear()
    again = load_corpus(folder)
    assert (read, len(list(store.iterdir()))) == ([], 1)
    assert everything(again) == now


def test_an_added_and_a_removed_file_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cases of a new file exist, the cases of a removed one do not, and neither changes the others."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    more = folder / "cases" / "toy" / "more.yaml"
    more.write_text(TEXTS[LOUD].replace("toy/shouted/loud", "toy/more"), "utf-8")
    added = load_corpus(folder)
    assert everything(added) == everything(without(folder, monkeypatch))
    assert "toy/more/word" in {case.name for case in added.cases}
    more.unlink()
    assert everything(load_corpus(folder)) == everything(without(folder, monkeypatch))


@pytest.mark.parametrize("file", [REQUIREMENTS, WORDS, SHAPES, SHOUT])
def test_a_removed_file_gives_the_problems_of_a_first_reading(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that cases depend on is missed although they come from the store."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    (folder / file).unlink()
    found = outcome(lambda: load_with_gaps(folder))
    assert found == outcome(lambda: without(folder, monkeypatch))
    assert isinstance(found, tuple)


@pytest.mark.parametrize("broken", ALL, ids=lambda broken: broken.name)
def test_a_mistake_gives_the_same_problems_and_is_never_stored(
    broken: Broken, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Path
) -> None:
    """A mistake in a stored corpus gives the problems of a first reading, each time, and leaves the store as it was."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    [file] = store.iterdir()
    stored = file.read_bytes()
    (folder / broken.file).parent.mkdir(parents=True, exist_ok=True)
    (folder / broken.file).write_bytes(broken.content())
    plain = outcome(lambda: without(folder, monkeypatch))
    assert isinstance(plain, tuple)
    assert [outcome(lambda: load_with_gaps(folder)) for _ in range(2)] == [plain, plain]
    assert file.read_bytes() == stored


def test_a_first_reading_with_a_mistake_stores_nothing(tmp_path: Path, store: Path) -> None:
    """Neither a mistake in a file nor a breach of a schema is stored."""
    texts = {**TEXTS, SAID: TEXTS[SAID].replace("origin: spec-example", "origin: my-head")}
    with pytest.raises(CorpusError):
        load_corpus(write_corpus(tmp_path / "broken", texts))
    texts = {**TEXTS, SAID: TEXTS[SAID].replace("count: 1", "count: one")}
    corpus = load_corpus(write_corpus(tmp_path / "breach", texts))
    with pytest.raises(CorpusError):
        check_corpus(corpus)
    assert not store.exists()


def test_a_change_back_within_the_same_size_and_time_is_noticed_by_the_inode_or_the_change_time(tmp_path: Path) -> None:
    """An edit that keeps the size and restores the time of modification is noticed."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    file = folder / SAID
    before = file.stat()
    file.write_text(TEXTS[SAID].replace("text: hello", "text: hullo"), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert load_corpus(folder).cases[0].expected == Answered({"text": "hullo", "count": 1})


def test_new_times_of_the_same_content_read_nothing(tmp_path: Path, read: list[str]) -> None:
    """A fresh checkout of the same files, such as a CI job makes, uses the store."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    for path in TEXTS:
        os.utime(folder / path, (1, 1))
    read.clear()
    load_corpus(folder)
    assert read == []


def test_a_number_that_the_store_cannot_hold_is_read_each_time(tmp_path: Path, read: list[str]) -> None:
    """An integer of more than 64 bits keeps its file out of the store; the other files and the digest are as ever."""
    said = TEXTS[SAID].replace("answer: {text: hello, count: 1}", f"answer: {{text: hello, count: {10**30}}}")
    folder = write_corpus(tmp_path / "corpus", {**TEXTS, SAID: said})
    first = load_corpus(folder)
    assert first.cases[0].expected == Answered({"text": "hello", "count": 10**30})
    read.clear()
    assert everything(load_corpus(folder)) == everything(first)
    assert read == [SAID]


def test_only_the_used_bodies_are_decoded_and_each_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Selecting decodes no body, and a second pass over the cases decodes nothing."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    values._decoded.cache_clear()
    checked = api.load_corpus(folder, select=["toy/said/many.second"])
    assert values._decoded.cache_info().misses == 0
    assert all(isinstance(case.body, Raw) for case in checked.corpus.cases)
    assert [case.note for case in checked.cases] == [""]
    assert values._decoded.cache_info().misses == 1
    first = [*map(whole, checked.corpus.cases)]
    with monkeypatch.context() as patch:
        patch.setattr(values, "_BODY", None)
        assert [*map(whole, checked.corpus.cases)] == first


def test_files_that_are_read_one_by_one_are_stored_one_by_one(tmp_path: Path, read: list[str]) -> None:
    """A session that reads one file keeps it; a later loading reads only the others, and has the whole digest."""
    folder = write_corpus(tmp_path / "corpus")
    one = open_corpus(folder)
    one.read(folder / SAID)
    one.store()
    read.clear()
    again = open_corpus(folder)
    cases = again.read(folder / SAID)
    assert (read, len(cases)) == ([], 6)
    corpus = load_corpus(folder)
    assert read == [LOUD]
    assert [case for case in corpus.cases if case.suite == "toy/said"] == [*cases]
    read.clear()
    assert load_corpus(folder).digest == corpus.digest
    assert read == []


def test_a_broken_file_among_others_is_not_stored(tmp_path: Path, read: list[str]) -> None:
    """A file with a mistake keeps its problems in each session, while the store serves the others."""
    folder = write_corpus(tmp_path / "corpus", {**TEXTS, LOUD: TEXTS[LOUD].replace("type: empty", "type: full")})
    for _ in range(2):
        session = open_corpus(folder)
        read.clear()
        session.read(folder / SAID)
        with pytest.raises(CorpusError) as raised:
            session.read(folder / LOUD)
        assert [problem.code for problem in raised.value.problems] == ["unknown-error-type"]
        session.store()
    assert read == [LOUD]


def test_a_schema_of_another_system_that_a_schema_refers_to_counts_for_both(tmp_path: Path, read: list[str]) -> None:
    """If systems share schemas, a change in one reads the cases of all."""
    texts = {
        path.replace("toy", "top"): text.replace("toy", "top").replace("TOY", "TOP") for path, text in TEXTS.items()
    }
    texts = {path: text.replace("RUL-01", "RUL-02") for path, text in texts.items()}
    top_say = SAY.replace("toy", "top")
    assert '"shapes.json' in texts[top_say]
    texts[top_say] = texts[top_say].replace('"shapes.json', '"../toy/shapes.json')
    folder = write_corpus(tmp_path / "corpus", {**TEXTS, **texts})
    load_corpus(folder)
    (folder / SHAPES).write_text(TEXTS[SHAPES] + "\n", "utf-8")
    read.clear()
    load_corpus(folder)
    assert SAID.replace("toy", "top") in read
