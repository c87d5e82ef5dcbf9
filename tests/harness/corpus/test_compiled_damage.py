"""The compiled corpus: no damaged or changed file is believed, and no file system stops a loading."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec import msgpack
from toy_corpus import SAID, TEXTS, everything, write_corpus

from harness.corpus import compiled
from harness.corpus.loader import load_corpus
from harness.model import Answered

pytestmark = pytest.mark.usefixtures("store")


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "truncated": lambda content: content[:-1],
    "half": lambda content: content[: len(content) // 2],
    "longer": lambda content: content + b"x",
    "another code": lambda content: content[:30] + bytes([content[30] ^ 1]) + content[31:],
    "another file": lambda _: b"PK\x03\x04" * 1000,
}


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


def poisoned(content: bytes, lead: int) -> bytes:
    """A compiled corpus with another expected answer and the right checksums, as `parity` itself would write it."""
    stored = compiled._CONTENT.decode(content[lead:])
    cases = compiled._CASES.decode(stored.suites[SAID].values)
    [place] = [place for place, case in enumerate(cases) if case.name == "toy/said/word"]
    cases[place] = cases[place].with_body(expected=Answered({"text": "poison", "count": 1}))
    stored.suites[SAID] = compiled.section_of(cases, stored.suites[SAID].files)
    return content[:lead] + msgpack.encode(stored)


def test_a_changed_answer_in_the_store_changes_the_digest(tmp_path: Path, store: Path, read: list[str]) -> None:
    """Nobody can change what is judged and keep the digest that a record prints, also with all checksums right."""
    folder = write_corpus(tmp_path / "corpus")
    honest = load_corpus(folder)
    [file] = store.iterdir()
    file.write_bytes(poisoned(file.read_bytes(), len(compiled._MAGIC) + 32))
    read.clear()
    corpus = load_corpus(folder)
    assert read == []
    assert corpus.cases[0].expected == Answered({"text": "poison", "count": 1}) != honest.cases[0].expected
    assert corpus.digest != honest.digest


def test_a_changed_rule_in_the_store_changes_the_digest(tmp_path: Path, store: Path, read: list[str]) -> None:
    """The same holds for what decides how answers are compared."""
    folder = write_corpus(tmp_path / "corpus")
    honest = load_corpus(folder)
    [file] = store.iterdir()
    content, lead = file.read_bytes(), len(compiled._MAGIC) + 32
    stored = compiled._CONTENT.decode(content[lead:])
    assert stored.foundation
    foundation = msgpack.decode(stored.foundation.values)
    for operation in foundation["operations"].values():
        operation["rules"] = {"ignored": True}
    stored.foundation = compiled.section_of(foundation, stored.foundation.files)
    file.write_bytes(content[:lead] + msgpack.encode(stored))
    read.clear()
    corpus = load_corpus(folder)
    assert (read, {one.rules.ignored for one in corpus.operations.values()}) == ([], {True})
    assert corpus.digest != honest.digest


def test_a_damaged_suite_alone_is_read_again(tmp_path: Path, store: Path, read: list[str]) -> None:
    """Values that do not have the digest of their part are not used."""
    folder = write_corpus(tmp_path / "corpus")
    first = everything(load_corpus(folder))
    [file] = store.iterdir()
    whole_file = file.read_bytes()
    file.write_bytes(whole_file.replace(b"hello", b"hullo"))
    read.clear()
    assert everything(load_corpus(folder)) == first
    assert read == [SAID]
    assert file.read_bytes() == whole_file


def test_a_suite_without_the_state_of_its_file_is_read_again(tmp_path: Path, store: Path, read: list[str]) -> None:
    """Values of which nobody can say whether their file changed are not used."""
    folder = write_corpus(tmp_path / "corpus")
    first = everything(load_corpus(folder))
    [file] = store.iterdir()
    content, lead = file.read_bytes(), len(compiled._MAGIC) + 32
    stored = compiled._CONTENT.decode(content[lead:])
    stored.suites[SAID].files.clear()
    file.write_bytes(content[:lead] + msgpack.encode(stored))
    read.clear()
    assert everything(load_corpus(folder)) == first
    assert read == [SAID]
