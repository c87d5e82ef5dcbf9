"""The options of a run, one row each.

The command line, recording, resuming, joining records and printed commands read the rows: an option is added to
`RunOptions` alone.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from typing import Any, TypeAlias

OptionValue: TypeAlias = "str | float | tuple[str, ...] | tuple[int, int]"
"""A text, a number, the values of an option that may be repeated, or a shard."""


PINNED, FREE = "pinned", "free"
"""Whether another reading than the listed one fails a gate."""


class Scope(IntEnum):
    """The records between which an option must be equal, because it decides verdicts or the exit status."""

    NONE = 0
    """It decides nothing, or names a place or a part of the corpus: the digests of the files and of the cases are compared
    instead."""
    ONE_RUN = 1
    """An interrupted run and the rest of it, and the shards of one run."""
    ALL_RUNS = 2
    """These, and the runs of different implementations that are joined into one record."""


@dataclass(frozen=True, slots=True)
class Option:
    """One row: the `flag` on the command line with its `help` and perhaps a `short` flag, the `key` in a record's header
    (empty: not kept), and for a number the least and the greatest value on the command line, its `unit`, and the value of
    the flag alone (`bare`; 0: it needs one), and for a text its `choices` if not every text is allowed. `is_common`: every
    verb that executes cases has it."""

    flag: str
    metavar: str
    help: str
    key: str = ""
    scope: Scope = Scope.NONE
    least: float = 0
    most: float = 0
    unit: str = ""
    short: str = ""
    bare: int = 0
    choices: tuple[str, ...] = ()
    is_common: bool = True

    @property
    def argument(self) -> str:
        """The attribute of parsed arguments."""
        return self.flag.removeprefix("--").replace("-", "_")


def _row(default: Any, flag: str, metavar: str, help_: str, **rest: Any) -> Any:
    return field(default=default, metadata={"option": Option(flag, metavar, help_, **rest)})


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of a run with their defaults.

    `timeout` is in seconds; `corpus`, `sdk`, `record`, `known` and `since` are paths; `shard` is its index from 1 and the
    number of shards; `repeat` is how often each case is sent; `max_breaks` is how many breaks in a row end the sending,
    `max_failures` how many failures, 0 for no limit; `min_answered` is the percentage of the cases of its own operations
    that an implementation must answer; `readings` is `PINNED` or `FREE`.
    """

    adapters: tuple[str, ...] = _row(
        (),
        "--adapter",
        "A",
        "a shipped adapter by name, NAME@VERSION, NAME[@LABEL]=DIR with a working copy, or [LABEL=]COMMAND; may be repeated "
        "(default: the reference and every shipped adapter whose toolchain is installed)",
    )
    sdk: str = _row("", "--sdk", "DIR", "use this working copy instead of the release of --adapter", key="sdk")
    corpus: str = _row(
        "", "--corpus", "DIR", "a folder with cases/ and schemas/ (default: the shipped corpus)", key="corpus"
    )
    systems: tuple[str, ...] = _row(
        (), "--system", "NAME", "only the cases of this system; may be repeated", key="systems"
    )
    profiles: tuple[str, ...] = _row(
        (), "--profile", "NAME", "only the operations of this conformance profile; may be repeated"
    )
    selection: tuple[str, ...] = _row(
        (),
        "--select",
        "EXPR",
        "which cases: a name, a glob over names, requirement: operation: origin: tag: ruling: revision: with a GLOB, "
        "profile:NAME, or verdict:V[:NAME]@RECORD; `!` negates, terms in one EXPR must all hold, several --select add up, "
        "and so do parts with commas between them",
    )
    shard: tuple[int, int] | None = _row(
        None, "--shard", "I/N", "run only the I-th of N parts; `parity merge` joins their records"
    )
    timeout: float = _row(
        10.0,
        "--timeout",
        "S",
        "seconds without a reply after which an adapter times out",
        key="timeout",
        scope=Scope.ALL_RUNS,
        least=0.001,
        most=86_399,
        unit="seconds",
    )
    pass_env: tuple[str, ...] = _row(
        (),
        "--pass-env",
        "NAME",
        "an environment variable to pass to the adapters; may be repeated",
        key="passEnv",
        scope=Scope.ONE_RUN,
    )
    repeat: int = _row(
        1,
        "--repeat",
        "N",
        "run each case N times, in fresh processes and other orders, and list the flaky answers",
        key="repeat",
        scope=Scope.ALL_RUNS,
        is_common=False,
        least=2,
        most=1000,
    )
    max_breaks: int = _row(
        10,
        "--max-breaks",
        "N",
        "crashes, timeouts or protocol errors in a row after which the other cases of an operation, then all cases, are not "
        "sent; 0: send every case",
        key="maxBreaks",
        scope=Scope.ALL_RUNS,
        most=1_000_000,
    )
    min_answered: float = _row(
        1.0,
        "--min-answered",
        "PERCENT",
        "the percentage of the cases of its own operations that an implementation must answer, or the run fails",
        key="minAnswered",
        scope=Scope.ALL_RUNS,
        most=100,
    )
    max_failures: int = _row(
        0,
        "--max-failures",
        "N",
        "stop after N failures, 1 if N is not given; the record then lacks the other cases (default: no limit)",
        least=1,
        short="-x",
        bare=1,
        most=1_000_000,
    )
    jobs: int = _row(
        1,
        "--jobs",
        "N",
        "processes of each adapter that share the cases; a case that is sent gets the same verdict for every N",
        least=1,
        most=256,
    )
    build: str | None = _row(
        None,
        "--build",
        "COMMAND",
        "run this command first, split like shell words; if it fails, no case is run. For shell syntax: sh -c '…'",
    )
    record: str = _row(
        "",
        "--record",
        "FILE",
        "write the run record to FILE (default: reports/local/run.jsonl in a checkout, else ./parity-run.jsonl)",
        is_common=False,
    )
    known: str = _row(
        "",
        "--known",
        "FILE",
        "the known-divergence file, or a folder with one for each range of versions (default: the shipped adapter's)",
        is_common=False,
    )
    readings: str = _row(
        PINNED,
        "--readings",
        f"{PINNED}|{FREE}",
        "whether an answer by another reading than the known-divergence file lists fails the gate (default: pinned)",
        key="readings",
        scope=Scope.ONE_RUN,
        choices=(PINNED, FREE),
        is_common=False,
    )
    base: str = _row(
        "",
        "--base",
        "REV",
        "compare with the commit from which the checkout of the working copy left this branch, in place of a "
        "known-divergence file: only what became worse fails",
        is_common=False,
    )
    strict_corpus: int = _row(
        0,
        "--strict-corpus",
        "",
        "judge by the file as if it were written for this corpus: what is new in the corpus fails the gate too",
        key="strictCorpus",
        scope=Scope.ONE_RUN,
        least=1,
        bare=1,
        most=1,
        is_common=False,
    )
    since: str = _row("", "--since", "OLDER", "print only what changed since this older record", is_common=False)


OPTIONS: Mapping[str, Option] = {member.name: member.metadata["option"] for member in fields(RunOptions)}
"""The row of each member of `RunOptions`."""

RECORDED: Mapping[str, Option] = {name: option for name, option in OPTIONS.items() if option.key}
"""The rows of the members that a record keeps."""

DEFAULT_OPTIONS = RunOptions()


def given_options(options: RunOptions, names: Collection[str] = RECORDED.keys()) -> dict[str, Any]:
    """The members of these names that are not at their default."""
    values = {name: getattr(options, name) for name in OPTIONS if name in names}
    return {name: value for name, value in values.items() if value != getattr(DEFAULT_OPTIONS, name)}


def option_words(options: RunOptions, names: Collection[str] = OPTIONS.keys()) -> list[str]:
    """The words of a command line that gives these members."""
    words = []
    for name, value in given_options(options, names).items():
        option = OPTIONS[name]
        for text in option_texts(value):
            words.append(option.flag)
            if option.metavar:  # a flag without one stands alone
                words.append(path_word(text) if option.metavar in ("FILE", "DIR") else text)
    return words


def path_word(path: str) -> str:
    """A path as a word of a command: it is no option, and in `verdict:…@RECORD` no version."""
    return f"./{path}" if path.startswith("-") or ("@" in path and path[0] not in "./") else path


def option_texts(value: OptionValue) -> list[str]:
    """The values behind the flag, one for each time that it is given."""
    match value:
        case (int(index), int(of)):
            return [f"{index}/{of}"]
        case tuple():
            return [str(text) for text in value]
    return [value if isinstance(value, str) else f"{value:.10g}"]


def parse_number(name: str, text: str) -> float:
    """The number that a command line gives for this member. Raises `ValueError`."""
    option, is_whole = OPTIONS[name], isinstance(getattr(DEFAULT_OPTIONS, name), int)
    try:
        is_plain = text.isdecimal() if is_whole else "_" not in text  # Python takes 1_000 for a number
        number = (int if is_whole else float)(text) if is_plain and text.isascii() else math.nan
    except ValueError:
        number = math.nan
    if option.least <= number <= option.most:
        return number
    what = "an integer" if is_whole else f"a number of {option.unit}" if option.unit else "a number"
    raise ValueError(f"{text} is not {what} from {option.least:g} to {option.most:.10g}")


def shared_options(options: Sequence[RunOptions]) -> RunOptions:
    """The recorded members that are equal in all of them; the others have their default."""
    first, *others = options
    shared = {
        name: value
        for name, value in given_options(first).items()
        if all(getattr(other, name) == value for other in others)
    }
    return replace(DEFAULT_OPTIONS, **shared)


def different_options(ours: RunOptions, theirs: RunOptions, scope: Scope) -> Iterator[str]:
    """The members that must be equal in this scope and are not. The values of a repeated option have no order."""
    for name, option in RECORDED.items():
        first, second = getattr(ours, name), getattr(theirs, name)
        if isinstance(first, tuple):
            first, second = {*first}, {*second}
        if option.scope >= scope and first != second:
            yield name
