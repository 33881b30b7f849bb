"""Spelling of ICD-10-CM codes. Nothing here judges whether a code exists."""

from __future__ import annotations


def stem(code: str) -> str:
    """The code in capitals without white space and dots: ``" e11.9"`` -> ``"E119"``."""
    return "".join(code.split()).replace(".", "").upper()


def canonical(code: str) -> str:
    """The code as printed in the tabular list: ``"e119"`` -> ``"E11.9"``."""
    bare = stem(code)
    return bare if len(bare) <= 3 else f"{bare[:3]}.{bare[3:]}"
