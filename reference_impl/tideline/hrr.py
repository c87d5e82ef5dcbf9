"""Section "The model-free embedder (HRR)": the embedding of a text, a unit vector of 256 numbers from hashes.

Size, features and SHA-256 are on the page; the phases of a feature are from the repository.
"""

import hashlib
import math
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from ..decisions import Decisions, decided
from ..javascript import strings
from . import tokens

Vector = Sequence[float]

DIMENSIONS: Final = 256
ANGLES: Final = DIMENSIONS // 2
TRIGRAM: Final = 3

# The feature of a text without words, so that its vector has a direction.
EMPTY_FEATURE: Final = "w:__hrr_empty__"

_ANGLES_IN_DIGEST = 16
_ROUNDS = ANGLES // _ANGLES_IN_DIGEST
_STEPS_OF_CIRCLE = 65536
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def features(text: str) -> list[str]:
    """For every word, ``w:word`` and the trigrams of ``^word$`` as ``g:tri``; repeats stay."""
    words = decided(HrrDecisions).embedded_words(text)
    return [feature for word in words for feature in (f"w:{word}", *_trigrams(word))]


def _trigrams(word: str) -> list[str]:
    return [f"g:{window}" for window in decided(HrrDecisions).windows(f"^{word}$")]


@lru_cache(maxsize=4096)
def _phases(feature: str) -> tuple[float, ...]:
    """Angles in [0, 2 pi): the little-endian 16-bit numbers of SHA-256 of ``feature:0`` to ``feature:7``. A lone
    surrogate is hashed as U+FFFD. From the repository.
    """
    hashable = _LONE_SURROGATE.sub("\ufffd", feature)
    digests = (hashlib.sha256(f"{hashable}:{count}".encode()).digest() for count in range(_ROUNDS))
    numbers = struct.unpack(f"<{ANGLES}H", b"".join(digests))
    return tuple(number * (2 * math.pi) / _STEPS_OF_CIRCLE for number in numbers)


def embed(text: str) -> Vector:
    """The vector of a text: cosine and sine of the circular mean of each angle over all features, scaled to length 1."""
    rule = decided(HrrDecisions)
    bundled = [rule.phases(feature) for feature in rule.features(text) or [EMPTY_FEATURE]]
    means = [_circular_mean(angles) for angles in zip(*bundled, strict=True)]
    vector = [part for mean in means for part in (math.cos(mean), math.sin(mean))]
    length = norm(vector)
    return [part / length for part in vector]


def _circular_mean(angles: Sequence[float]) -> float:
    """The direction of the sum of the unit vectors of the angles, in (-pi, pi]."""
    return math.atan2(sum(map(math.sin, angles)), sum(map(math.cos, angles)))


def norm(vector: Vector) -> float:
    """The Euclidean length of a vector."""
    return math.sqrt(sum(part * part for part in vector))


def cosine(left: Vector, right: Vector) -> float:
    """The cosine of two vectors, not limited; 0 for different lengths and for an empty or zero vector. If a sum
    overflows, the result is an infinity or NaN. From the repository.
    """
    lengths = norm(left), norm(right)
    if len(left) != len(right) or 0 in lengths:
        return 0.0
    return sum(a * b for a, b in zip(left, right, strict=True)) / (lengths[0] * lengths[1])


def similarity(left: str, right: str) -> float:
    """The cosine of the vectors of two texts."""
    return cosine(embed(left), embed(right))


class Embedder(Protocol):
    """Embedder of recall. ``floor`` is its recommended noise floor; None for the default floor."""

    @property
    def floor(self) -> float | None:
        """The smallest cosine of a recovery."""

    def embed(self, text: str) -> Vector:
        """The vector of a text."""


@dataclass(frozen=True, slots=True)
class Hrr:
    """The default embedder: no model, no network, no own floor."""

    floor: float | None = None

    def embed(self, text: str) -> Vector:
        """The HRR vector of a text."""
        return embed(text)


class HrrDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def features(self, text: str) -> list[str]:
        """RUL-TIDE-06: the trigrams come from each word between ``^`` and ``$``."""
        return features(text)

    def embedded_words(self, text: str) -> list[str]:
        """RUL-TIDE-08: the embedder keeps stopwords."""
        return tokens.words(text)

    def windows(self, text: str) -> list[str]:
        """RUL-TIDE-07: a trigram is a window of three UTF-16 code units. A window can cut a character above U+FFFF into
        lone surrogates.
        """
        starts = range(strings.length(text) - TRIGRAM + 1)
        return [strings.slice_units(text, start, start + TRIGRAM) for start in starts]

    def phases(self, feature: str) -> tuple[float, ...]:
        """RUL-TIDE-05: a feature has 128 phases, one for each pair of dimensions."""
        return _phases(feature)
