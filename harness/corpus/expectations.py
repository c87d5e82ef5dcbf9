"""Expectation of a case: an answer, an error, or a dispute with its readings and the adopted one."""

from __future__ import annotations

from ..base.json_path import pointer_text
from ..compare.canonical import canonical_bytes
from ..compare.contained import CONTAINS, most_characters, response_value
from ..compare.unobservable import reported_paths
from ..errors import one_line
from ..model import Answered, CaseBody, Json, JsonObject, Raised, Response, replace
from .cited_names import CorpusNames
from .entries import TODO, Entry
from .located import Mapping, Sequence


def read_expectation(entry: Entry, operation: str, request: JsonObject, names: CorpusNames) -> tuple[str, CaseBody]:
    """The ruling of a disputed case, else an empty text, and the body with this request and the expectation: the response
    that passes, and of a disputed case the adopted reading and the others. A placeholder and problems if it cannot be
    read."""
    placeholder = "", CaseBody(recorded_request=request, expected=Answered({}))
    given = [key for key in ("answer", "error", "disputed") if key in entry.mapping]
    if not given and not entry.mapping.incomplete:
        remedy = "Add one of answer, error and disputed."
        entry.problem("id", "no-expectation", "The case has no expectation.", remedy)
    if len(given) > 1:
        message = f"The case has {' and '.join(given)}; a case has one expectation."
        entry.problem(given[1], "several-expectations", message, f"Keep one of {' and '.join(given)}.")
    if len(given) != 1:
        return placeholder
    if given[0] == "disputed":
        return _dispute(entry, operation, request, names) or placeholder
    response = _response(entry, operation, names)
    return ("", CaseBody(recorded_request=request, expected=response)) if response else placeholder


def _response(entry: Entry, operation: str, names: CorpusNames) -> Response | None:
    """The response under `answer` or `error`."""
    if "answer" in entry.mapping:
        if entry.mapping["answer"] == TODO:
            message = "The answer is still TODO: nobody has derived it from the text yet."
            entry.problem("answer", "answer-not-written", message, "Derive it from the specification, and write it.")
            return None
        answer = entry.object("answer")
        return Answered(answer) if answer is not None else None
    error = entry.object("error")
    if error is None:
        return None
    inner = entry.inner(error, "error")
    inner.refuse_unknown({"type"}, "an expected error")
    kind = inner.text("type")
    called = names.operations.found.get(operation)
    if called and kind and kind not in called.error_types:
        message = f"The error type {one_line(kind, 60)} is not in the schema of {operation}."
        remedy = f"Use one of: {', '.join(sorted(called.error_types))}."
        inner.problem("type", "unknown-error-type", message, remedy)
    return Raised(kind)


def _dispute(entry: Entry, operation: str, request: JsonObject, names: CorpusNames) -> tuple[str, CaseBody] | None:
    mapping = entry.object("disputed")
    if mapping is None:
        return None
    inner = entry.inner(mapping, "disputed")
    inner.refuse_unknown({"ruling", "adopted", "readings"}, "a dispute")
    ruling, adopted = inner.text("ruling"), inner.text("adopted")
    listed = inner.object("readings")
    if listed is None:
        return None
    _check_ruling(inner, ruling, adopted, listed, names)
    readings = _readings(inner.inner(listed, "readings"), operation, request, names)
    if len({canonical_bytes(response_value(response)) for response in readings.values()}) < len(readings):
        message = "Two readings have the same outcome, so the case does not separate them."
        inner.problem("readings", "equal-readings", message, "Remove one of them, or choose another input.")
    if adopted not in readings:
        return None
    expected = readings.pop(adopted)
    return ruling, CaseBody(recorded_request=request, expected=expected, readings=readings, adopted=adopted)


def _readings(inner: Entry, operation: str, request: JsonObject, names: CorpusNames) -> dict[str, Response]:
    readings: dict[str, Response] = {}
    if len(inner.mapping) < 2 and not inner.mapping.incomplete:
        remedy = "Add the other one, or write a plain `answer`."
        inner.problem("", "too-few-readings", "A dispute needs at least two readings.", remedy)
    for reading in inner.mapping:
        one = inner.object(reading)
        if one is None:
            continue
        entry = inner.inner(one, reading)
        entry.refuse_unknown({"answer", "error", "any"}, "a reading")
        if len({"answer", "error"} & one.keys()) != 1:
            message = f"The reading {one_line(reading, 60)} needs exactly one of answer and error."
            entry.problem("", "reading-without-outcome", message, f"Write `{one_line(reading, 60)}: {{answer: …}}`.")
            continue
        response = _response(entry, operation, names)
        if response is not None:
            readings[reading] = _with_contained(entry, _freed(entry, response), request)
    return readings


def _freed(entry: Entry, response: Response) -> Response:
    """The response of a reading with the places under `any`, where every value follows the reading."""
    pointers = entry.texts("any")
    if not pointers:
        return response
    if not isinstance(response, Answered):
        entry.problem("any", "any-without-answer", "An error has no places for `any`.", "Remove `any`.")
        return response
    for pointer in pointers:
        if not reported_paths(response.value, [pointer]):
            message = f"The answer of the reading has no place {one_line(pointer, 60)}."
            entry.problem("any", "any-without-place", message, 'Write a JSON Pointer, such as "/text" or "/hits/*/id".')
    return replace(response, free=pointers)


def _with_contained(entry: Entry, response: Response, request: JsonObject) -> Response:
    """The response with the first of the texts at each place that is `{$contains: [texts]}`."""
    if not isinstance(response, Answered):
        return response
    contains: dict[str, tuple[str, ...]] = {}
    value = _example(response.value, "", contains, entry)
    if not contains or not isinstance(value, dict):
        return response
    most = most_characters(request)
    return replace(response, value=value, contains=tuple((*place, most) for place in contains.items()))


def _example(value: Json, pointer: str, contains: dict[str, tuple[str, ...]], entry: Entry) -> Json:
    if isinstance(value, Mapping) and CONTAINS in value:
        inner = Entry(value, entry.shown, entry.problems, entry.label)
        inner.refuse_unknown({CONTAINS}, CONTAINS)
        texts = inner.texts(CONTAINS)
        if not texts:
            inner.problem(CONTAINS, "no-texts", f"{CONTAINS} lists no text.", f"Write `{{{CONTAINS}: [one, two]}}`.")
        contains[pointer] = texts
        return texts[0] if texts else ""
    if isinstance(value, Mapping):
        twin = value.copied()
        for key, item in value.items():
            twin[key] = _example(item, pointer + pointer_text([key]), contains, entry)
        return twin
    if isinstance(value, Sequence):
        items = Sequence()
        items.item_lines = value.item_lines
        items.extend(_example(item, f"{pointer}/{index}", contains, entry) for index, item in enumerate(value))
        return items
    return value


def _check_ruling(inner: Entry, name: str, adopted: str, listed: Mapping, names: CorpusNames) -> None:
    """Adds a problem for each contradiction between a case and the ruling that it cites. A broken ruling has none."""
    if name and names.rulings.lacks(name):
        file = f"cases/{inner.shown.split('/')[1]}/rulings.yaml"
        exists = names.rulings.found or names.rulings.broken
        message = f"The ruling {one_line(name, 60)} is not in {file}." if exists else f"The file {file} does not exist."
        remedy = "Cite a ruling of that file, or add this one."
        names.missing.note(inner, inner.place("ruling"), "unknown-ruling", message, remedy)
    if adopted and adopted not in listed and not listed.incomplete:
        message = f"The adopted reading {one_line(adopted, 60)} is not among the readings of this case."
        inner.problem("adopted", "adopted-not-listed", message, "Add it to them, or adopt another one.")
    ruling = names.rulings.found.get(name)
    if ruling is None or name in names.rulings.broken:
        return
    entry = inner.inner(listed, "readings")
    for reading in listed:
        if reading not in ruling.readings:
            message = f"{name} has no reading {one_line(reading, 60)}."
            entry.problem(reading, "unknown-reading", message, f"Use one of: {', '.join(ruling.readings)}.")
    if adopted in ruling.readings and adopted != ruling.adopted:
        message = f"{name} adopts the reading {ruling.adopted}, not {one_line(adopted, 60)}."
        inner.problem("adopted", "adopted-not-the-rulings", message, f"Write `adopted: {ruling.adopted}`.")
