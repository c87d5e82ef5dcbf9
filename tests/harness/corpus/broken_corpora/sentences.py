"""The sentences of problems: message and remedy of one broken corpus for each kind of mistake."""

from __future__ import annotations

SENTENCES = {
    "pattern": (
        "The pattern ( is not a regular expression: missing ), unterminated subpattern at position 0.",
        "Write a regular expression without look-around, backreferences and large repeat counts.",
    ),
    "anchor-without-length": (
        "The anchor 0123456789ab does not have the form DIGEST/LENGTH, such as 0123456789ab/42.",
        "Copy it from the output of: parity coverage --text DIR --anchor REQUIREMENT",
    ),
    "anchors-and-none": ("The requirement has anchors, and a reason why it has none.", "Keep one of the two."),
    "no-anchor-for-nothing": ("no-anchor is lost, not one of the allowed values.", "Use one of: consequence."),
    "text-folder-outside": (
        "text-folder is ../docs, which leads out of a repository.",
        "Write a path from the root of the repository.",
    ),
    "other-draft": ("$schema is urn:x, not draft 2020-12.", "Correct the schema (draft 2020-12)."),
    "reference-no-address": (
        "The target of the reference http://[::1 does not exist.",
        "Correct the reference, or add its target.",
    ),
    "integer-of-5000-digits": (
        "The number 100000000000000000000000000000000000000… is too large for a double.",
        "Correct the JSON.",
    ),
    "schema-of-500-lists": ("The schema nests deeper than 200 levels.", "Flatten it."),
    "column-of-3000-steps": (
        "The column answer.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.… has more than 50 steps after the first.",
        "Use a shorter path, and a mapping in the cell.",
    ),
    "zone-with-zero": (
        "TZ is a\\x00b, not a time zone.",
        "Write a name such as Asia/Tokyo: at most 64 letters, digits and _ + - / : , and .",
    ),
    "yaml-syntax": (
        "The file is not valid YAML: did not find expected node content.",
        "Correct the YAML; quote a text that contains `: ` or ` #`, or starts with one of `[]{}*&!|>@%`.",
    ),
    "tab-indent": (
        "The file is not valid YAML: found a tab character that violates indentation.",
        "Indent with spaces; YAML allows no tab there.",
    ),
    "two-documents": ("The file has a second document.", "Keep one document a file."),
    "undefined-alias": (
        "The alias *nothing has no anchor before it, or is inside its own anchor.",
        "Define the anchor before the alias and outside of it. Quote it if you mean a text.",
    ),
    "exploding-aliases": ("The file has more than 500000 values, aliases expanded.", "Split it, or use fewer aliases."),
    "deep-aliases": ("Values nest deeper than 200 levels.", "Flatten them."),
    "colon-in-text": (
        "The file is not valid YAML: mapping values are not allowed in this context.",
        "Quote the text; a plain text cannot contain `: `.",
    ),
    "latin-1": ("The file is not UTF-8: this line has the byte 0xe9.", "Save it as UTF-8."),
    "utf-16": ("The file starts with a byte-order mark.", "Save it as UTF-8 without a byte-order mark."),
    "nul": ("The line has the unescaped character U+0000.", 'Write it as an escape in double quotes: "\\x00".'),
    "lone-surrogate": (
        "The file is not valid YAML: found invalid Unicode character escape code.",
        "Write a character above U+FFFF as \\UXXXXXXXX; a case file cannot contain a lone surrogate.",
    ),
    "duplicate-key": ("The key origin is already on line 7 of this mapping.", "Remove one of the two."),
    "merge-key": ("The merge key << is not allowed.", "Write the members out."),
    "tag": ("The tag tag:yaml.org,2002:int is not allowed.", "Remove it. Quote it if you mean a text."),
    "leading-zero": ("The number 01 has a leading zero.", "Quote it if you mean a text."),
    "infinity": (".inf is not a JSON number.", "Quote it if you mean a text."),
    "number-as-key": ("A key of the mapping is not a text: 1.", "Quote it."),
    "empty-file": ("The file is empty.", "Write `suite:`, `operation:` and `cases:`."),
    "list-at-top": ("The file contains a list, not a suite.", "Write `suite:`, `operation:` and `cases:`."),
    "empty-fixture": ("The fixture is empty.", "Write the value that the fixture stands for."),
    "empty-requirements": (
        "The file is empty.",
        "Write `system:`, `revision:` and `requirements:` with a list below it.",
    ),
    "file-key": ("operaton is not a key of a case file.", "Did you mean operation?"),
    "case-twice": ("The name toy/shouted/loud/word is already used on line 3.", "Give each case its own id."),
    "requirement-twice": (
        "The id TOY-01 is already used at cases/toy/requirements.yaml:4.",
        "Give this one another id.",
    ),
    "id-with-capitals": ("The id Nothing has characters other than a-z, 0-9 and -.", "Rename it."),
    "row-id-is-a-number": (
        "id is the number 2, not a text.",
        "Write a text, in quotes if it looks like a number, a truth value or null.",
    ),
    "wrong-suite": (
        "suite is toy/loud; the path of the file requires toy/shouted/loud.",
        "Write `suite: toy/shouted/loud`, or move the file.",
    ),
    "wrong-system": ("system is echo; the file is in cases/toy.", "Write `system: toy`, or move the file."),
    "unknown-operation": (
        "The operation toy.shuot has no schema.",
        "Correct the name, or add schemas/toy/toy.shuot.json.",
    ),
    "no-operation": (
        "The case has no operation, and its file has none. The same holds for 5 more cases.",
        "Add `operation: area.verb` to the file, or to the case.",
    ),
    "unknown-requirement": (
        "The requirement TOY-03 is not in cases/toy/requirements.yaml.",
        "Cite a requirement of that file, or add this one.",
    ),
    "unknown-ruling": (
        "The ruling RUL-02 is not in cases/toy/rulings.yaml.",
        "Cite a ruling of that file, or add this one.",
    ),
    "unknown-reading": ("RUL-01 has no reading c.", "Use one of: a, b."),
    "adopted-not-listed": (
        "The adopted reading c is not among the readings of this case.",
        "Add it to them, or adopt another one.",
    ),
    "adopted-not-the-ruling's": ("RUL-01 adopts the reading a, not b.", "Write `adopted: a`."),
    "ruling-adopts-unknown": ("The adopted reading z is not among the readings.", "Adopt one of: a, b."),
    "ruling-evidence": (
        "RUL-01 cites the case toy/said/many.firsts, which does not exist.",
        "Correct the name (`parity cases` lists them), restore the case, or remove the citation.",
    ),
    "ruling-of-unknown-topic": ("The topic silense is not among the topics of this file.", "Did you mean silence?"),
    "topic-of-no-ruling": ("No ruling has the topic noise.", "Name it in a ruling (`topic:`), or remove it."),
    "words-of-no-wording": (
        "The words A dot are not in the wording.",
        "Copy the words that exclude reading b from it.",
    ),
    "words-against-no-reading": ("RUL-01 has no reading c.", "Use one of: a, b."),
    "ruling-of-one-reading": ("A ruling needs at least two readings.", "Add the other one."),
    "no-fixture": ("The fixture verbs does not exist.", "Add cases/toy/fixtures/verbs.yaml."),
    "fixture-with-extras": ("The fixture reference has other members, or no name.", "Write only `{$fixture: name}`."),
    "fixture-of-fixture": (
        "The fixture refers to another fixture.",
        "Write the value out; only a request can refer to a fixture.",
    ),
    "cites-nothing": ("No case of this suite cites a requirement.", "Add `requirements: [ID]` to its cases."),
    "readings-alike": (
        "Two readings have the same outcome, so the case does not separate them.",
        "Remove one of them, or choose another input.",
    ),
    "one-reading": ("A dispute needs at least two readings.", "Add the other one, or write a plain `answer`."),
    "reading-without-answer": ("The reading b needs exactly one of answer and error.", "Write `b: {answer: …}`."),
    "answer-and-error": ("The case has answer and error; a case has one expectation.", "Keep one of answer and error."),
    "no-expectation": ("The case has no expectation.", "Add one of answer, error and disputed."),
    "error-not-listed": ("The error type full is not in the schema of toy.shout.", "Use one of: empty, unclassified."),
    "answer-is-a-text": ("answer is the text A, not a mapping.", "Write `answer:` with members below it."),
    "no-request": ("The key request is missing.", "Add `request: …`."),
    "unknown-origin": (
        "The origin reference is unknown.",
        "Use spec-example, spec-text, spec-fixture, repository, regression, fuzz or oracle:<engine>.",
    ),
    "oracle-without-evidence": (
        "The origin oracle:sqlite has no evidence.",
        "Add `evidence: {command: …}`: it computes the answer again.",
    ),
    "negative-is-a-text": (
        "negative is the text yes, not true or false.",
        "Write `negative: true`, or remove the key.",
    ),
    "requirements-is-a-text": (
        "requirements is the text TOY-02, not a list of texts.",
        "Write `requirements: [one, two]`.",
    ),
    "requirement-listed-twice": ("requirements lists TOY-01 more than once.", "List it once."),
    "case-is-a-text": ("A case is the text nothing, not a mapping.", "Write `- id: …` with the other keys below it."),
    "no-cases": ("The suite has no list of cases.", "Write `cases:` with at least one case below it."),
    "ruling-of-unknown-text": (
        "text is open, not one of the allowed values.",
        "Use one of: decides, leaves-room, contradicts-itself.",
    ),
    "ruling-of-unknown-state": (
        "state is closed, not one of the allowed values.",
        "Use one of: open, proposed, accepted.",
    ),
    "accepted-in-no-revision": (
        "The ruling is accepted and has no revision in accepted-in.",
        'An accepted ruling names the revision that has its text, such as `accepted-in: "1.1"`; no other does.',
    ),
    "link-to-no-page": (
        "The link javascript:x is no https address.",
        "Write the address of the issue: https://HOST/PATH.",
    ),
    "unknown-level": ("level is should, not one of the allowed values.", "Use one of: MUST, SHOULD, MAY, fact."),
    "observable-false": ("observable is false.", "Write true, or a sentence that explains why it cannot be observed."),
    "row-too-short": ("The row has 2 cells; the table has 3 columns.", "Write one cell a column."),
    "no-column-id": ("The table has no column id.", "Add a column `id` with a name for each row."),
    "no-rows": ("The table has no rows.", "Write `rows:` with a list for each row."),
    "column-through-scalar": (
        "The column origin.why leads through the text spec-text.",
        "Use a path through mappings only.",
    ),
    "column-of-no-key": ("The column requst.text starts with no key of a case.", "Did you mean request?"),
    "column-inside-column": ("The column answer.text is inside the column answer.", "Keep one of the two."),
    "column-with-empty-step": (
        "The column answer. has an empty step.",
        "Write a name between the dots and after the last one.",
    ),
    "request-against-schema": (
        "The request breaks its schema at $.text: 5 is not of type 'string'.",
        "Correct the case; the schema is $defs.request in schemas/toy/toy.say.json.",
    ),
    "answer-against-schema": (
        "The expected answer breaks its schema at $.count: 'one' is not of type 'number'.",
        "Correct the case; the schema is $defs.answer in schemas/toy/toy.say.json.",
    ),
    "schema-not-json": ("The file is not valid JSON: Expecting ',' delimiter.", "Correct the JSON."),
    "schema-is-a-list": ("The schema is not a JSON object.", "Write an object with `$defs`."),
    "schema-with-nan": ("NaN is not a JSON number.", "Correct the JSON."),
    "schema-member-twice": ("The object has the member type twice.", "Correct the JSON."),
    "no-answer-schema": ("The schema has no $defs.answer.", "Add request, answer and error under $defs."),
    "no-error-types": (
        "$defs.error does not list the types of errors.",
        'Write {"enum": ["unclassified"]}, or the error types that an implementation may return.',
    ),
    "bad-tolerance": (
        "x-tolerance needs a reason and one of absolute and ulps, with a number of at least 0.",
        'Write {"absolute": NUMBER, "reason": TEXT} or {"ulps": NUMBER, "reason": TEXT}.',
    ),
    "bad-stages": ("x-stages is not a list of JSON Pointers.", 'Write ["/first/stage", "/second"].'),
    "misspelt-keyword": ("x-stagse is no keyword at the root of a schema.", "Did you mean x-stages?"),
    "bad-uses": ("x-uses is not a list of operations.", 'Write ["area.verb", "area.other"].'),
    "unknown-use": ("The system toy has no operation toy.shuot.", "Did you mean toy.shout?"),
    "circular-uses": (
        "The operations use each other in a circle: toy.say, toy.say.",
        "Name only operations by which the text defines this one.",
    ),
    "bad-requirement-places": (
        "x-requirements does not map requirements to lists of JSON Pointers.",
        'Write {"REQ-01": ["/first/place"], "REQ-1*": ["/list/*/member"]}.',
    ),
    "unknown-comparison": ("x-compared is neither if-expected nor always.", 'Write "x-compared": "if-expected".'),
    "any-without-place": (
        "The answer of the reading has no place /txt.",
        'Write a JSON Pointer, such as "/text" or "/hits/*/id".',
    ),
    "contains-nothing": ("$contains lists no text.", "Write `{$contains: [one, two]}`."),
    "any-of-an-error": ("An error has no places for `any`.", "Remove `any`."),
    "unknown-engine": ("The engine lucene of x-engine is unknown.", "Use one of: sqlite-fts5-match."),
    "bad-unordered": ("x-unordered is neither true nor false.", 'Write "x-unordered": true.'),
    "rules-below-unordered": (
        "x-unordered stands over elements with comparison rules of their own.",
        "Remove the rules of the elements, or x-unordered: elements without order are compared exactly.",
    ),
    "not-a-json-schema": (
        'The file is not a valid JSON Schema at $["$defs"].answer.type: '
        "'objekt' is not valid under any of the given schemas.",
        "Correct the schema (draft 2020-12).",
    ),
    "operation-of-two-systems": ("The system other already has an operation toy.say.", "Rename one of the two."),
    "file-name-no-operation": (
        "The file name toy.s ay.json is not the name of an operation.",
        "Rename it to area.verb.json.",
    ),
    "yml": ("The file is not part of the corpus and would be skipped.", "Rename it to end in .yaml."),
    "json-cases": ("The file is not part of the corpus and would be skipped.", "Rewrite it as a .yaml file."),
    "outside-a-system": (
        "The file is not part of the corpus and would be skipped.",
        "Move it into the folder of a system, cases/<system>/.",
    ),
    "nested-fixture": (
        "The file is not part of the corpus and would be skipped.",
        "Move it to cases/toy/fixtures itself.",
    ),
    "suite-with-capitals": (
        "The suite name toy/More of this path has characters other than a-z, 0-9, _ and -.",
        "Rename the file or its folder.",
    ),
    "nested-schema": (
        "The file is not part of the corpus and would be skipped.",
        "Move it into the folder of a system, schemas/<system>/.",
    ),
    "yaml-schema": ("The file is not part of the corpus and would be skipped.", "Rewrite it as a .json file."),
}
"""Message and remedy, by the name of the broken corpus."""
