"""Files that are no part of a corpus where they lie."""

from __future__ import annotations

from broken_corpora.mistake import Broken

_STRAY = "no part of the corpus, and would be passed over"

STRAYS = [
    Broken("yml", "cases/toy/more.yml", "", "suite: toy/more\n", _STRAY, "end in .yaml", "cases/toy/more.yml"),
    Broken(
        "upper-case-suffix",
        "cases/toy/more.YAML",
        "",
        "suite: toy/more\n",
        _STRAY,
        "end in .yaml",
        "cases/toy/more.YAML",
    ),
    Broken("json-cases", "cases/toy/more.json", "", "{}", _STRAY, "as a .yaml file", "cases/toy/more.json"),
    Broken("outside-a-system", "cases/more.yaml", "", "suite: more\n", _STRAY, "cases/<system>/", "cases/more.yaml"),
    Broken(
        "nested-fixture",
        "cases/toy/fixtures/deep/x.yaml",
        "",
        "- x\n",
        _STRAY,
        "cases/toy/fixtures itself",
        "cases/toy/fixtures/deep/x.yaml",
    ),
    Broken(
        "suite-with-capitals",
        "cases/toy/More.yaml",
        "",
        "suite: toy/More\n",
        "call the suite toy/More",
        "Rename",
        "cases/toy/More.yaml",
    ),
    Broken(
        "nested-schema",
        "schemas/toy/deep/toy.sing.json",
        "",
        "{}",
        _STRAY,
        "schemas/<system>/",
        "schemas/toy/deep/toy.sing.json",
    ),
    Broken("yaml-schema", "schemas/toy/toy.sing.yaml", "", "{}", _STRAY, ".json", "schemas/toy/toy.sing.yaml"),
]
