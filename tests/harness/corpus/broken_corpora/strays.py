"""Files with the wrong suffix or in the wrong folder."""

from __future__ import annotations

from broken_corpora.mistake import Broken

STRAYS = [
    Broken("yml", "cases/toy/more.yml", "", "suite: toy/more\n", "stray-file", "cases/toy/more.yml"),
    Broken("upper-case-suffix", "cases/toy/more.YAML", "", "suite: toy/more\n", "stray-file", "cases/toy/more.YAML"),
    Broken("json-cases", "cases/toy/more.json", "", "{}", "stray-file", "cases/toy/more.json"),
    Broken("outside-a-system", "cases/more.yaml", "", "suite: more\n", "stray-file", "cases/more.yaml"),
    Broken(
        "nested-fixture", "cases/toy/fixtures/deep/x.yaml", "", "- x\n", "stray-file", "cases/toy/fixtures/deep/x.yaml"
    ),
    Broken(
        "suite-with-capitals", "cases/toy/More.yaml", "", "suite: toy/More\n", "bad-suite-name", "cases/toy/More.yaml"
    ),
    Broken("nested-schema", "schemas/toy/deep/toy.sing.json", "", "{}", "stray-file", "schemas/toy/deep/toy.sing.json"),
    Broken("yaml-schema", "schemas/toy/toy.sing.yaml", "", "{}", "stray-file", "schemas/toy/toy.sing.yaml"),
]
