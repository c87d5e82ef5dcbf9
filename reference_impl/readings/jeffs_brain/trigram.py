"""Other readings of the algorithms document's section "Trigram fallback details"."""

from collections.abc import Callable, Sequence

from ...javascript import regexps, strings
from ...jeffs_brain import trigram
from ...jeffs_brain.candidates import Chunk
from ...jeffs_brain.trigram import Grams, TrigramHit
from ...switches import Switches

SWITCHES = Switches()


@SWITCHES.reading("RUL-B87", "b", trigram.letters_and_numbers, wraps=True)
def trimmed(current: Callable[[str], str], text: str) -> str:
    """The slug text is trimmed."""
    return current(text).strip(" ")


@SWITCHES.reading("RUL-B62", "b", trigram.windows)
def windows_of_code_points(padded: str) -> Sequence[str]:
    """Windows consist of code points."""
    return [padded[start : start + trigram.WINDOW] for start in range(len(padded) - trigram.WINDOW + 1)]


@SWITCHES.reading("RUL-B62", "c", trigram.is_alphanumeric, wraps=True)
def is_letter_or_decimal_digit(current: Callable[[str], bool], character: str) -> bool:
    """Of the numbers, only decimal digits are alphanumeric."""
    return current(character) and not regexps.has_property(character, "Nl", "No")


@SWITCHES.reading("RUL-B62", "d", trigram.is_alphanumeric, wraps=True)
def is_ascii_letter_or_digit(current: Callable[[str], bool], character: str) -> bool:
    """Only a-z and 0-9 are alphanumeric."""
    del current
    return "a" <= character <= "z" or "0" <= character <= "9"


@SWITCHES.reading("RUL-B102", "b", trigram.text_to_cut)
def like_a_slug(text: str) -> str:
    """A token is first lower-cased and reduced to letters and numbers, like a slug."""
    return trigram.letters_and_numbers(strings.to_lower_case(text))


@SWITCHES.reading("RUL-B60", "b", trigram.grams_of_word)
def grams_of_a_long_word(word: str) -> Sequence[str]:
    """A word of one or two characters, before padding, has no grams."""
    return trigram.windows(f"${word}$") if trigram.windows(word) else []


@SWITCHES.reading("RUL-B88", "b", trigram.similarity_without_grams)
def equal_without_grams() -> float:
    """The similarity of two empty sets is 1."""
    return 1.0


@SWITCHES.reading("RUL-B61", "b", trigram.grams_of_chunk)
def grams_of_every_text(chunk: Chunk) -> Grams:
    """Title, summary and content have grams too."""
    texts = (chunk.title, chunk.summary, chunk.content)
    slugs = [trigram.letters_and_numbers(strings.to_lower_case(text)) for text in texts]
    return trigram.grams(" ".join([trigram.slug_text(chunk.path), *slugs]))


@SWITCHES.reading("RUL-B89", "b", trigram.searchable)
def first_chunk_of_each_id(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Only the first chunk of an id can be found, and no chunk with an empty id."""
    first: dict[str, Chunk] = {}
    for chunk in chunks:
        first.setdefault(chunk.id, chunk)
    return [chunk for id_, chunk in first.items() if id_]


@SWITCHES.reading("RUL-B89", "c", trigram.similarity_of_hit)
def similarity_to_the_first_token(similarities: Sequence[float]) -> float:
    """The similarity is that of the first token that reaches the threshold."""
    return next((similarity for similarity in similarities if similarity >= trigram.TRIGRAM_JACCARD_THRESHOLD), 0.0)


@SWITCHES.reading("RUL-B89", "d", trigram.most_similar_first, wraps=True)
def then_by_id(current: Callable[[TrigramHit], tuple[object, ...]], hit: TrigramHit) -> tuple[object, ...]:
    """Equal similarity and path are ordered by id."""
    return *current(hit), strings.sort_key(hit.chunk.id)
