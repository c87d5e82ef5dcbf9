"""The compiled corpus: the same cases and problems as without it, each change noticed, and no damaged file believed."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from broken_corpora import ALL, Broken
from toy_corpus import LOUD, REQUIREMENTS, RULINGS, SAID, SAY, SHAPES, SHOUT, TEXTS, WORDS, write_corpus

from harness import api
from harness.corpus import case_table, compiled
from harness.corpus.checker import check_corpus
from harness.corpus.files import Stamp, read_text
from harness.corpus.loader import Corpus, load_corpus, load_with_gaps, open_corpus
from harness.corpus.paths import shipped
from harness.corpus.sharding import Part
from harness.errors import CorpusError, Problem
from harness.model import Case

AN_HOUR = 3_600_000_000_000


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the compiled corpora: of this test alone, and small corpora are stored too."""
    monkeypatch.setattr(compiled, "cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(compiled, "_MIN_BYTES", 0)
    return tmp_path / "cache" / "corpora"


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written a moment ago count as old, so that their times prove that they are unchanged."""
    monkeypatch.setattr(compiled, "_RACY_NS", -AN_HOUR)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that loadings have read as text, in order."""
    names: list[str] = []

    def noting(path: Path, shown: str, problems: list[Problem], stamps: dict[str, Stamp] | None = None) -> str | None:
        names.append(shown)
        return read_text(path, shown, problems, stamps)

    monkeypatch.setattr("harness.corpus.foundation.read_text", noting)
    return names


def everything(corpus: Corpus) -> dict[str, object]:
    """Every field of a corpus. Values of a file print alike with and without lines; as texts, 1 and 1.0 differ."""
    texts: dict[str, object] = {one.name: repr(getattr(corpus, one.name)) for one in fields(corpus)}
    texts |= {"cases": repr(tuple(corpus.cases)), "files": repr(dict(corpus.files)), "heads": repr([*corpus.heads])}
    return {**texts, "operations": corpus.operations}


def without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """The corpus, read without a compiled one."""
    with monkeypatch.context() as patch:
        patch.setattr(compiled.CompiledCorpus, "_read", lambda _: None)
        patch.setattr(compiled.CompiledCorpus, "store", lambda *_: None)
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
def test_the_shipped_corpus_is_the_same_from_the_store(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every field of every case, operation, requirement and ruling, every schema and the digest are the same."""
    folder = tmp_path / "corpus"  # under another name, since the tests remember the shipped one
    folder.mkdir()
    for name in ("cases", "schemas"):
        (folder / name).symlink_to(shipped() / name)
    parsed = load_with_gaps(folder)
    assert len(list(store.iterdir())) == 1
    monkeypatch.setattr("harness.corpus.loader.CaseFiles.__iter__", lambda _: iter(()))  # files are never stored
    assert everything(load_with_gaps(folder)) == everything(parsed)


@pytest.mark.parametrize("times", ["old", "new"])
def test_an_unchanged_corpus_is_not_parsed_again(
    times: str, tmp_path: Path, read: list[str], request: pytest.FixtureRequest
) -> None:
    """The second loading parses no file, whether the times of the files prove that, or only their content does."""
    if times == "old":
        request.getfixturevalue("trusted")
    folder = write_corpus(tmp_path / "corpus")
    first = everything(load_corpus(folder))
    assert sorted(read) == sorted(TEXTS)
    read.clear()
    again = load_corpus(folder)
    assert read == []
    assert again.is_checked
    assert everything(again) == first


CHANGES: dict[str, tuple[str, str, str, set[str]]] = {
    "a case": (SAID, "hello, count: 1", "hullo, count: 1", {SAID}),
    "a requirement": (REQUIREMENTS, "comes back in capitals", "comes back as shouted", {*TEXTS}),
    "a ruling": (RULINGS, "severity: low", "severity: high", {*TEXTS}),
    "a fixture": (WORDS, "- two", "- three", {*TEXTS}),
    "a schema": (SHOUT, '"unclassified"', '"unclassified", "loud"', {*TEXTS}),
    "a comment": (LOUD, "suite:", "# louder\nsuite:", {LOUD}),
}


@pytest.mark.usefixtures("trusted")
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


@pytest.mark.usefixtures("trusted")
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


@pytest.mark.usefixtures("trusted")
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


@pytest.mark.usefixtures("trusted")
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


@pytest.mark.usefixtures("trusted")
def test_a_change_back_within_the_same_size_and_time_is_noticed_by_the_inode_or_the_change_time(tmp_path: Path) -> None:
    """An edit that keeps the size and restores the time of modification is noticed."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    file = folder / SAID
    before = file.stat()
    file.write_text(TEXTS[SAID].replace("text: hello", "text: hullo"), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert load_corpus(folder).cases[0].expected_text == '{"count":1,"text":"hullo"}'


def test_a_file_that_changed_just_before_it_was_stored_is_compared_by_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the file system's times are too coarse to show an edit, the content shows it."""
    monkeypatch.setattr(Stamp, "agrees", lambda *_: True)
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    (folder / SAID).write_text(TEXTS[SAID].replace("text: hello", "text: hullo"), "utf-8")
    assert load_corpus(folder).cases[0].expected_text == '{"count":1,"text":"hullo"}'


def test_new_times_of_the_same_content_read_nothing(tmp_path: Path, read: list[str]) -> None:
    """A fresh checkout of the same files, such as a CI job makes, uses the store."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    for path in TEXTS:
        os.utime(folder / path, (1, 1))
    read.clear()
    load_corpus(folder)
    assert read == []


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "truncated": lambda content: content[:-1],
    "half": lambda content: content[: len(content) // 2],
    "longer": lambda content: content + b"x",
    "a flipped bit at the end": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "a flipped bit in the checksum": lambda content: content[:60] + bytes([content[60] ^ 1]) + content[61:],
    "another code": lambda content: content[:30] + bytes([content[30] ^ 1]) + content[31:],
    "another file": lambda _: b"PK\x03\x04" * 1000,
}


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_not_believed_and_is_written_anew(
    damage: str, tmp_path: Path, read: list[str], store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The corpus is read as if there were no file, without a message, and the next loading uses a good one."""
    folder = write_corpus(tmp_path / "corpus")
    first = everything(load_corpus(folder))
    [file] = store.iterdir()
    whole = file.read_bytes()
    file.write_bytes(DAMAGES[damage](whole))
    read.clear()
    assert everything(load_corpus(folder)) == first
    assert sorted(read) == sorted(TEXTS)
    assert file.read_bytes() == whole
    assert capfd.readouterr() == ("", "")


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path: Path, store: Path) -> None:
    """A file in place of the cache folder, or a folder in place of the file, is no error."""
    folder = write_corpus(tmp_path / "corpus")
    store.parent.write_text("in the way", "utf-8")
    first = everything(load_corpus(folder))
    store.parent.unlink()
    load_corpus(folder)
    [file] = store.iterdir()
    file.unlink()
    file.mkdir()
    assert everything(load_corpus(folder)) == first
    assert [path.name for path in store.iterdir()] == [file.name]


def test_writers_at_the_same_time_leave_one_whole_file(tmp_path: Path, read: list[str], store: Path) -> None:
    """Loadings at the same time agree, and leave no half-written file."""
    folder = write_corpus(tmp_path / "corpus")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: everything(load_corpus(folder)), range(8)))
    assert all(one == found[0] for one in found)
    assert len(list(store.iterdir())) == 1
    read.clear()
    load_corpus(folder)
    assert read == []


def test_the_oldest_files_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    """The folder keeps a bounded number of compiled corpora."""
    monkeypatch.setattr(compiled, "_MAX_FILES", 2)
    for number in range(4):
        load_corpus(write_corpus(tmp_path / f"corpus-{number}"))
    assert len(list(store.iterdir())) == 2


def test_a_small_corpus_is_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    """Reading a small corpus takes less time than it is worth to keep."""
    monkeypatch.undo()
    monkeypatch.setattr(compiled, "cache", lambda: tmp_path / "cache")
    load_corpus(write_corpus(tmp_path / "corpus"))
    assert not store.exists()


def test_one_selected_case_is_built_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Selecting reads the heads; only the selected case is built."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    built: list[str] = []

    def noting(**members: Any) -> Case:
        built.append(str(members["name"]))
        return Case(**members)

    monkeypatch.setattr("harness.corpus.compiled_values.Case", noting)
    corpus = load_corpus(folder)
    [case] = corpus.pick(head for head in corpus.heads if head.name == "toy/said/many.second")
    assert (case.name, built) == ("toy/said/many.second", ["toy/said/many.second"])


def test_suites_dropped_from_memory_are_decoded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cases are the same, in any order of use, if each suite is dropped as soon as another one is used."""
    folder = write_corpus(tmp_path / "corpus")
    plain = without(folder, monkeypatch)
    load_corpus(folder)
    monkeypatch.setattr(case_table, "_MAX_DECODED", 0)
    corpus = load_corpus(folder)
    picked = corpus.pick(corpus.heads)
    assert [*map(repr, picked)] == [*map(repr, plain.cases)]
    assert [*map(repr, picked[::-1])] == [*map(repr, plain.cases)][::-1]
    assert repr(picked[-1]) == repr(plain.cases[-1])
    assert len({case.suite for case in picked}) > 1


def test_the_library_decodes_a_case_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second pass over the cases and the heads of `parity.load_corpus` decodes nothing, however large the corpus is."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    monkeypatch.setattr(case_table, "_MAX_DECODED", 0)
    checked = api.load_corpus(folder)
    first = [*checked.cases]
    assert len({case.suite for case in first}) > 1
    with monkeypatch.context() as patch:
        patch.setattr(case_table, "stored_rows", None)
        patch.setattr(case_table, "read_case", None)
        again = [*checked.cases, *checked.corpus.cases]
        assert [head.name for head in checked.corpus.heads] == [case.name for case in first]
    assert [*map(id, again)] == [*map(id, first)] * 2


def test_a_part_of_the_picked_cases_builds_no_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads, slices, shards and other orders of picked cases build none of them."""
    folder = write_corpus(tmp_path / "corpus")
    load_corpus(folder)
    corpus = load_corpus(folder)
    picked = corpus.pick(corpus.heads)
    with monkeypatch.context() as patch:
        patch.setattr("harness.corpus.compiled_values.Case", None)
        names = [head.name for head in case_table.heads_of(picked)]
        parts = (picked[1:], Part(2, 2).deal(picked), case_table.cases_at(picked, [1, 0]))
    assert [case.name for case in parts[0]] == names[1:]
    assert {case.name for case in parts[1]} < {*names}
    assert [case.name for case in parts[2]] == [names[1], names[0]]


def test_files_that_are_read_one_by_one_are_stored_one_by_one(tmp_path: Path, read: list[str]) -> None:
    """A session that reads one file keeps it; a later loading reads only the others, and has the whole digest."""
    folder = write_corpus(tmp_path / "corpus")
    one = open_corpus(folder)
    one.keep(one.read(folder / SAID))
    one.compiled.store()
    read.clear()
    again = open_corpus(folder)
    file = again.read(folder / SAID)
    assert (read, file.stamp, len(file.cases)) == ([], None, 6)
    whole = load_corpus(folder)
    assert read == [LOUD]
    assert [case for case in whole.cases if case.suite == "toy/said"] == [*file.cases]
    read.clear()
    assert load_corpus(folder).digest == whole.digest
    assert read == []


def test_a_broken_file_among_others_is_not_stored(tmp_path: Path, read: list[str]) -> None:
    """A file with a mistake keeps its problems in each session, while the store serves the others."""
    folder = write_corpus(tmp_path / "corpus", {**TEXTS, LOUD: TEXTS[LOUD].replace("type: empty", "type: full")})
    for _ in range(2):
        session = open_corpus(folder)
        read.clear()
        session.keep(session.read(folder / SAID))
        with pytest.raises(CorpusError) as raised:
            session.read(folder / LOUD)
        assert [problem.code for problem in raised.value.problems] == ["unknown-error-type"]
        session.compiled.store()
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
