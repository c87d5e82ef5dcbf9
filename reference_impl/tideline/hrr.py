"""Section "The model-free embedder (HRR)": a text to a unit vector of 256 numbers, by hashing alone.

The page gives the size, the features and SHA-256; how a feature becomes phases is the repository's.
"""

import hashlib
import math
import re
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from reference_impl.javascript import strings
from reference_impl.tideline.tokens import words

Vector = Sequence[float]

DIMENSIONS: Final = 256
ANGLES: Final = DIMENSIONS // 2
TRIGRAM: Final = 3

# What stands for a text without any word, so that its vector has a direction too.
EMPTY_FEATURE: Final = "w:__hrr_empty__"

_ANGLES_IN_DIGEST = 16
_ROUNDS = ANGLES // _ANGLES_IN_DIGEST
_STEPS_OF_CIRCLE = 65536
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def features(text: str) -> list[str]:
    """Every word as ``w:word``, then the trigrams of ``^word$`` as ``g:tri``; stopwords and repeats are kept."""
    return [feature for word in words(text) for feature in (f"w:{word}", *_trigrams(word))]


def _trigrams(word: str) -> list[str]:
    """Windows of three UTF-16 code units; one can cut a character outside the BMP into lone surrogates."""
    padded = f"^{word}$"
    starts = range(strings.length(padded) - TRIGRAM + 1)
    return [f"g:{strings.slice_units(padded, start, start + TRIGRAM)}" for start in starts]


@lru_cache(maxsize=4096)
def phases(feature: str) -> tuple[float, ...]:
    """128 angles in [0, 2 pi): the little-endian 16-bit numbers of SHA-256 of ``feature:0`` to ``feature:7``.

    A lone surrogate is hashed as U+FFFD.
    """
    hashable = _LONE_SURROGATE.sub("\ufffd", feature)
    digests = (hashlib.sha256(f"{hashable}:{count}".encode()).digest() for count in range(_ROUNDS))
    numbers = struct.unpack(f"<{ANGLES}H", b"".join(digests))
    return tuple(number * (2 * math.pi) / _STEPS_OF_CIRCLE for number in numbers)


def embed(text: str) -> Vector:
    """Bundle the features: each angle is the circular mean of theirs and gives a cosine and a sine; length 1."""
    bundled = [phases(feature) for feature in features(text) or [EMPTY_FEATURE]]
    means = [_circular_mean(angles) for angles in zip(*bundled, strict=True)]
    vector = [part for mean in means for part in (math.cos(mean), math.sin(mean))]
    length = norm(vector)
    return [part / length for part in vector]


def _circular_mean(angles: Sequence[float]) -> float:
    """The direction of the sum of the angles' unit vectors, in (-pi, pi]."""
    return math.atan2(sum(map(math.sin, angles)), sum(map(math.cos, angles)))


def norm(vector: Vector) -> float:
    """The Euclidean length."""
    return math.sqrt(sum(part * part for part in vector))


def cosine(left: Vector, right: Vector) -> float:
    """The cosine of two vectors, not clamped; 0 where the lengths differ or a vector is empty or all zero.

    Sums can overflow; then it is an infinity or NaN.
    """
    lengths = norm(left), norm(right)
    if len(left) != len(right) or 0 in lengths:
        return 0.0
    return sum(a * b for a, b in zip(left, right, strict=True)) / (lengths[0] * lengths[1])


def similarity(left: str, right: str) -> float:
    """The cosine of two texts' vectors."""
    return cosine(embed(left), embed(right))
