"""Every option that decides a verdict or the exit status is recorded, and compared on resuming and on joining records."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from recording import lines, record, write

from harness.cli import gate, run, watch
from harness.cli.options import add_options, options_of
from harness.model import DEFAULT_OPTIONS, OPTIONS, RECORDED, RunOptions, Scope, Verdict, option_words, replace
from harness.plan.setup import named_specs, probes_of
from harness.records import read_record
from harness.records.run_options import decode_options, encode_options
from harness.report.result_text import rerun_commands

ROOT = Path(__file__).resolve().parents[3]

COMPARED_OTHERWISE = {
    "adapters": "the names and the replies to `initialize` of the implementations",
    "selection": "the digest of the selected cases, and the expressions",
    "profiles": "becomes a part of the selection",
    "shard": "the header's `shard`",
    "known": "the header's `gate`",
    "base": "the header's `gate`",
}
"""Options whose effect another part of the header holds."""

DECIDES_NOTHING = {
    "jobs": "a case that is sent gets the same verdict for every number",
    "build": "makes the implementation, whose reply to `initialize` and files are compared",
    "max_failures": "leaves a record without a footer, which no join accepts; a resumed run completes it",
    "record": "a place",
    "since": "the text also shows what changed",
}

PLACES_AND_PAGES = {"resume", "write_known", "fix_known", "failed_before", "verbose", "help", "path"}
"""Arguments of one verb, which change no plan."""

OF_A_GATE = {"base", "readings", "strict_corpus"}
"""Options that only a gate has, whose record is never resumed."""

DECIDING = [name for name, option in RECORDED.items() if option.scope >= Scope.ONE_RUN]
RESUMED = [name for name in DECIDING if name not in OF_A_GATE]


def other(name: str) -> RunOptions:
    """The options with another value than the default at this member."""
    default = getattr(DEFAULT_OPTIONS, name)
    if name == "shard":
        return with_value(name, (2, 3))
    if choices := OPTIONS[name].choices:
        return with_value(name, next(choice for choice in choices if choice != default))
    if default is None or isinstance(default, str):
        return with_value(name, "a folder")
    if isinstance(default, tuple):
        return with_value(name, ("B", "A"))
    return with_value(name, type(default)(OPTIONS[name].most))


def with_value(name: str, value: Any) -> RunOptions:
    return replace(DEFAULT_OPTIONS, **{name: value})


def test_an_option_that_no_record_keeps_says_why() -> None:
    """Each row is kept in the header, or this module says why a record does not need it."""
    assert OPTIONS.keys() == RECORDED.keys() | COMPARED_OTHERWISE.keys() | DECIDES_NOTHING.keys()


@pytest.mark.parametrize("verb", [run, gate, watch])
def test_a_verb_that_runs_cases_has_every_row(verb: Any) -> None:
    """`run`, `gate` and `watch` offer the options of a run by their rows, and besides them nothing that changes a plan."""
    parser = argparse.ArgumentParser()
    verb.add_arguments(parser)
    found = {action.dest for action in parser._actions}
    rows = {option.argument for option in OPTIONS.values()}
    assert rows - found <= {"repeat", "known", "since", *OF_A_GATE}
    assert found - rows <= PLACES_AND_PAGES


def test_the_schema_of_records_has_every_option() -> None:
    """The schema of records takes each row under its name in camelCase, without a list of them."""
    schema = json.loads((ROOT / "schemas" / "run-record.schema.json").read_text("utf-8"))
    of_options = {**schema["$defs"]["header"]["properties"]["options"], "$defs": schema["$defs"]}
    for name, option in RECORDED.items():
        jsonschema.validate(encode_options(other(name)), of_options)
        assert re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", option.key) == name


@pytest.mark.parametrize("name", RECORDED)
def test_an_option_is_recorded(name: str) -> None:
    """An option that is given is in the header and comes back from it; one at its default is absent."""
    options = other(name)
    assert encode_options(options).keys() == {OPTIONS[name].key}
    assert decode_options(encode_options(options)) == options
    assert encode_options(DEFAULT_OPTIONS) == {}


@pytest.mark.parametrize("name", OPTIONS)
def test_a_command_line_gives_the_options_of_a_record(name: str) -> None:
    """The words of the options, parsed again, are the same options."""
    parser = argparse.ArgumentParser()
    add_options(parser, OPTIONS)
    options = other(name)
    parsed = options_of(parser.parse_args(option_words(options)))
    assert replace(parsed, sdk="") == replace(options, sdk="")
    assert Path(parsed.sdk).name == options.sdk


@pytest.mark.slow
@pytest.mark.parametrize("name", RESUMED)
@pytest.mark.parametrize("is_begun_with_it", [True, False])
def test_a_resumed_run_has_the_options_of_its_beginning(
    run_parity: Callable[..., Any], echo_corpus: Path, tmp_path: Path, name: str, is_begun_with_it: bool
) -> None:
    """`--resume` with another value is a mistake of the command line that names both; the record stays as it is."""
    file = record(run_parity, echo_corpus, tmp_path / "run.jsonl", good={})
    header, *results, _ = lines(file)
    begun, given = (other(name), _third(name)) if is_begun_with_it else (DEFAULT_OPTIONS, other(name))
    header["options"] = {**header["options"], **encode_options(begun)}
    kept = "".join(f"{json.dumps(one)}\n" for one in (header, *results[:-1]))
    file.write_text(kept, "ascii")
    done = run_parity("run", "--resume", file, *option_words(given))
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be resumed: it was begun with" in done.stderr
    assert f"Leave {OPTIONS[name].flag} out, or run again without --resume." in done.stderr
    assert file.read_text("ascii") == kept


def _third(name: str) -> RunOptions:
    """The options with a value that is neither the default nor that of `other`."""
    value = getattr(other(name), name)
    return with_value(name, ("C",) if isinstance(value, tuple) else value - 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", RESUMED)
def test_what_the_command_line_leaves_open_is_as_at_the_beginning(
    run_parity: Callable[..., Any], echo_corpus: Path, tmp_path: Path, name: str
) -> None:
    """A resumed run takes an option that is not given from the record, which keeps it."""
    file = record(run_parity, echo_corpus, tmp_path / "run.jsonl", good={})
    header, *results, _ = lines(file)
    header["options"] = {**header["options"], **encode_options(other(name))}
    file.write_text("".join(f"{json.dumps(one)}\n" for one in (header, *results)), "ascii")
    done = run_parity("run", "--resume", file)
    assert done.returncode == 0, done.stderr
    found = read_record(file)
    assert found.complete
    assert getattr(found.metadata.options, name) == getattr(other(name), name)


@pytest.mark.slow
@pytest.mark.parametrize("name", DECIDING)
def test_shards_have_the_same_options(
    run_parity: Callable[..., Any], echo_corpus: Path, tmp_path: Path, name: str
) -> None:
    """`merge` refuses a shard with an option and one without it, and names both values."""
    shards = []
    for index, options in ((1, DEFAULT_OPTIONS), (2, other(name))):
        file = record(run_parity, echo_corpus, tmp_path / f"{index}.jsonl", shard=f"{index}/2", good={})
        shards.append(_with(file, options))
    done = run_parity("merge", *shards, "--record", tmp_path / "merged.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert OPTIONS[name].flag in done.stderr
    assert not (tmp_path / "merged.jsonl").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDED)
def test_runs_of_different_implementations(
    run_parity: Callable[..., Any], echo_corpus: Path, tmp_path: Path, name: str
) -> None:
    """`merge` and a report on several records refuse other options that hold for all implementations; of the rest, the
    record keeps what both have."""
    good = record(run_parity, echo_corpus, tmp_path / "good.jsonl", good={})
    deaf = _with(record(run_parity, echo_corpus, tmp_path / "deaf.jsonl", deaf={}), other(name))
    merged = tmp_path / "merged.jsonl"
    done = run_parity("merge", good, deaf, "--record", merged)
    reported = run_parity("report", good, deaf, "--review", tmp_path / "review.md")
    if OPTIONS[name].scope is Scope.ALL_RUNS:
        assert (done.returncode, reported.returncode) == (2, 2)
        assert OPTIONS[name].flag in done.stderr
        assert OPTIONS[name].flag in reported.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert getattr(read_record(merged).metadata.options, name) in (getattr(DEFAULT_OPTIONS, name), str(echo_corpus))


@pytest.mark.slow
def test_working_copies_of_different_folders(run_parity: Callable[..., Any], echo_corpus: Path, tmp_path: Path) -> None:
    """A record of runs with different `--sdk` folders has none of them; a command that repeats a failure says `DIR`."""
    parts = []
    for name in ("one", "two"):
        adapters: dict[str, Any] = {name: {"answers": {"hello": "hallo"}}}
        file = record(run_parity, echo_corpus, tmp_path / f"{name}.jsonl", **adapters)
        header, *rest = lines(file)
        header["options"]["sdk"] = f"/{name}"
        header["implementations"][0] |= {"adapter": name, "sdk": {"digest": "0" * 64}}
        parts.append(write(file, [header, *rest]))
    merged = tmp_path / "merged.jsonl"
    assert run_parity("merge", *parts, "--record", merged).returncode == 0
    found = read_record(merged)
    failing = [result for result in found.results if result.verdict is Verdict.FAIL]
    assert {tuple(rerun_commands(found, one)["repeat"].split()[2:6]) for one in failing} == {
        ("--adapter", name, "--sdk", "DIR") for name in ("one", "two")
    }


def _with(file: Path, options: RunOptions) -> Path:
    """The record as if its run had these options too."""
    header, *rest = lines(file)
    header["options"] = {**header["options"], **encode_options(options)}
    return write(file, [header, *rest])


@pytest.mark.parametrize("is_option", [True, False])
def test_the_printed_probe_names_a_working_copy_once(tmp_path: Path, is_option: bool) -> None:
    """A copy stands in `--adapter python=DIR` or in `--sdk DIR`, as the user gave it: both together are refused."""
    copy = str(tmp_path)
    options = RunOptions(adapters=("python",), sdk=copy) if is_option else RunOptions(adapters=(f"python={copy}",))
    words = ["python", "--sdk", copy] if is_option else [f"python={copy}"]
    assert probes_of(named_specs(options), options) == {"python": shlex.join(["parity", "probe", *words])}
