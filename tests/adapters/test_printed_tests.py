"""Printed tests of an SDK alone: they compile, and they fail where parity says that the SDK fails."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from driving import parity, verdicts

from harness.corpus.loader import Corpus
from harness.corpus.paths import cache, shipped
from harness.errors import AdapterUnavailable
from harness.model import Case
from harness.scaffolding.sdk_tests import NoTest, SdkTest, render_file, sdk_test
from harness.transport.build import build
from harness.transport.manifest import missing_tools, shipped_manifests
from harness.transport.operation_support import State, read_declarations
from harness.transport.sandbox import Sandbox

pytestmark = pytest.mark.slow

FAILING = """
intent/triggers_beside_near_misses/trigger-before.no-other-intent-questions-of-when-whenever-preference
intent/preference_multipliers/wiki-user-preference-path-preference-generic-rollup
intent/reweight/notes-of-two-events-stay-at-their-scores
query_dsl/compile/blanks-at-the-ends-of-a-phrase
query_dsl/aliases/numbers-that-are-no-digits.circled-digit-inside
query_dsl/normalise/next-line-character.at-the-end
query_dsl/phrases/blanks-inside-the-quotes.end
query_dsl/pipeline/operator-beside-a-quote
rerank/tail/order-of-the-answer-wins-over-its-scores
rerank/document_text/byte-order-mark-and-unit-separator-at-the-ends
retrieval/trigram_rung/nearer-page-of-two-tokens-first
temporal/augmented_anchors/units-weekdays-and-anchors.7-weeks-and-last-sunday-before-2027-01-13
temporal/date_tokens/year-has-four-digits.year-50
temporal/not_expanded/beside-a-recognised-phrase.last-week
temporal/refused_question_dates/mixed-separators-out-of-bounds.month-13
trigram/grams_of_words/words-of-one-letter-and-more.script-16
trigram/search/word-with-vowel-signs-against-its-own-slug
trigram/slug_characters/paths.suffix-behind-a-space
""".split()
"""A case that release 0.2.0 of the TypeScript SDK does not pass, of each operation that has one."""

VITEST = """
const same = (got, want) => {
  if (want?.asymmetricMatch) return want.asymmetricMatch(got);
  if (want === null || typeof want !== 'object') return got === want;
  const keys = Object.keys(want);
  return typeof got === 'object' && got !== null && Array.isArray(got) === Array.isArray(want)
    && Object.keys(got).length === keys.length && keys.every((key) => key in got && same(got[key], want[key]));
};
export const expect = (got) => ({ toEqual: (want) => { if (!same(got, want)) throw new Error('differs'); } });
expect.anything = () => ({ asymmetricMatch: () => true });
const tests = [];
export const test = (title, run) => tests.push(run);
setImmediate(async () => {
  const skip = () => { throw new Error('skipped'); };
  for (const run of tests) console.log(await run({ skip }).then(() => 'pass', (error) => error.message));
});
"""
"""As much of vitest as the printed tests use; it prints a line for each."""


def printed(name: str, cases: Iterable[Case], corpus: Corpus) -> tuple[str, list[Case]]:
    """The file that the adapter prints of those cases that are within reach, and these cases."""
    manifest = shipped_manifests(shipped())[name]
    declared = read_declarations(manifest.folder, corpus.operations)
    tests: dict[Case, SdkTest] = {}
    for case in cases:
        with suppress(NoTest):
            tests[case] = sdk_test(case, corpus, manifest, declared)
    offered = {operation for operation, support in declared.items() if support.state is not State.UNSUPPORTED}
    assert {case.operation for case in tests} == offered
    return render_file(list(tests.values()), manifest), list(tests)


def sample(corpus: Corpus, most: int) -> list[Case]:
    """Cases of each operation, from everywhere in the corpus."""
    of_each: dict[str, list[Case]] = {}
    for case in corpus.cases:
        of_each.setdefault(case.operation, []).append(case)
    return [case for found in of_each.values() for case in found[:: len(found) // most + 1]]


@pytest.mark.parametrize(
    ("name", "file", "compiles"),
    [
        ("go", "repro_test.go", ["gofmt", "-e"]),
        ("python", "test_repro.py", ["python3", "-m", "py_compile"]),
        ("ts", "repro.test.mjs", ["node", "--check"]),
    ],
)
def test_every_offered_operation_has_a_test_that_compiles(
    shipped_corpus: Corpus, tmp_path: Path, name: str, file: str, compiles: list[str]
) -> None:
    """Several cases of each operation, in one file."""
    if shutil.which(compiles[0]) is None:
        pytest.skip(f"{compiles[0]} is not on PATH")
    text, cases = printed(name, sample(shipped_corpus, 20), shipped_corpus)
    (tmp_path / file).write_text(text, "utf-8")
    done = subprocess.run([*compiles, tmp_path / file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(cases) > 200


def test_a_printed_test_fails_where_the_sdk_fails(shipped_corpus: Corpus, tmp_path: Path) -> None:
    """The verdicts of parity on the release of the TypeScript SDK are the results of the printed tests."""
    manifest = shipped_manifests(shipped())["ts"]
    if missing := missing_tools(manifest):
        pytest.skip(" ".join(map(str, missing)))
    try:
        with Sandbox() as sandbox:
            built = build(manifest, cache(), sandbox)
    except AdapterUnavailable as unavailable:
        pytest.skip(str(unavailable))
    named = {f"jeffs_brain/{name}" for name in FAILING}
    chosen = [*(case for case in shipped_corpus.cases if case.name in named), *sample(shipped_corpus, 1)]
    text, cases = printed("ts", chosen, shipped_corpus)
    record = tmp_path / "run.jsonl"
    selected = [word for case in cases for word in ("--select", case.name)]
    parity("run", "--adapter", "ts", "--record", record, *selected)
    said = verdicts(record)
    modules = tmp_path / "node_modules"
    modules.mkdir()
    for package in (built / "node_modules").iterdir():
        (modules / package.name).symlink_to(package)
    (modules / "vitest").mkdir()
    (modules / "vitest" / "index.mjs").write_text(VITEST, "utf-8")
    (modules / "vitest" / "package.json").write_text(json.dumps({"name": "vitest", "exports": "./index.mjs"}), "utf-8")
    (tmp_path / "repro.test.mjs").write_text(text, "utf-8")
    done = subprocess.run(["node", tmp_path / "repro.test.mjs"], capture_output=True, text=True, check=False)
    results = dict(zip((case.name for case in cases), done.stdout.splitlines(), strict=True))
    assert {name for name, result in results.items() if result != "pass"} == {
        name for name, (verdict, *_) in said.items() if verdict != "pass"
    }
    assert {name for name, result in results.items() if result == "differs"} >= named
