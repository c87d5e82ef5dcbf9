"""Characters by class: each class holds the characters on which two implementations of a text rule can differ.

Every character is in Unicode 12 or older, so that the tables of all runtimes have it.
"""

from __future__ import annotations

from typing import Final

# Unicode's property White_Space.
WHITE_SPACE: Final[tuple[str, ...]] = (
    *" \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a",
    *"\u2028\u2029\u202f\u205f\u3000",
)

# White space for one definition (ECMA-262, Python, Go, older Unicode) and not for another; and zero-width characters.
NEAR_SPACE: Final[tuple[str, ...]] = (
    *"\u200b\u200c\u200d\ufeff",  # zero width
    *"\u0085\u180e\u001c\u001d\u001e\u001f\u2060\u00ad\u034f\u2800\u3164\u115f\u0000\u0008\u007f\u200e\u202a\ufe0f",
)

# Letters whose case mapping changes the length, depends on the place, or exists in one direction only.
CASES: Final[tuple[str, ...]] = (
    *"İıſKÅẞßŉǰΐΰևﬀﬁﬃﬆǅǈǲᾳᾼᾈΣςσϴϐẛⅧⓐǄꞫꭰᲐაȺⱥȾ",
    *"\U00010400\U00010428\U0001e900\U00010c80",
)

# Marks that compose, reorder, or have no composition.
COMBINING: Final[tuple[str, ...]] = (
    *"\u0301\u0300\u0308\u0323\u0307\u0327\u0345\u0338\u20d0\u093c\u3099\u0e38\u05b0\u0651\u0591",
)

# Characters that NFC replaces, or composes with their neighbours.
COMPOSED: Final[tuple[str, ...]] = (
    *"\u212a\u212b\u2126\u0344\u0340\u0341\u0374\u037e\u0387\u1fef\u2000\u2001\u2329\ufb1d\uf900\u0958\u0f43",
    "e\u0301", "a\u0323\u0302", "a\u0302\u0323", "\u1112\u1161\u11ab", "\uac00\u11a8", "q\u0307\u0323", "\u30ab\u3099",
    "i\u0307", "o\u031b\u0301", "=\u0338", "<\u0338", "\u1e9b\u0323", "\u0915\u093c", "s\u0323\u0307",
)  # fmt: skip

# Digits and numbers that are no ASCII digits (general categories Nd, Nl, No).
NUMBERS: Final[tuple[str, ...]] = (*"٣७๒１²½Ⅷ①〇㊀", "\U0001d7d8", "\U00010107")

# Letters of many scripts, marks inside words, and characters above U+FFFF.
LETTERS: Final[tuple[str, ...]] = (
    *"éüñøłđжЖαΩאعहि한字かカไๆªºʰ", "\U00020000", "\U0001d49c", "\U00010330", "\U0001f600", "\U0001f1e6", "👩\u200d💻",
    "\ufb03", "नि", "வா", "\uff21",
)  # fmt: skip

# Punctuation and symbols in ASCII.
ASCII_MARKS: Final[tuple[str, ...]] = tuple("""*():^+"-?!.,;/\\[]{}<>|&'$#@%=~`_""")

# Punctuation and symbols outside ASCII.
OTHER_MARKS: Final[tuple[str, ...]] = (
    *"“”‘’«»–—…·•¿¡§¶†‰′″⁄€£°±×÷√∞≠→■☃♥、。「」・～！？（）＊＂＿״׳؟،۔।",
    "\U0001f389",
    "\u2e3a",
    "\u2011",
    "\u0f3a",
)

CLASSES: Final[tuple[tuple[str, ...], ...]] = (
    WHITE_SPACE,
    NEAR_SPACE,
    CASES,
    COMBINING,
    COMPOSED,
    NUMBERS,
    LETTERS,
    ASCII_MARKS,
    OTHER_MARKS,
)
"""Every class, from the simplest."""
