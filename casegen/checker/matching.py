"""Which expected code a claimed code was meant to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping


def common_prefix(a: str, b: str) -> int:
    """The number of leading characters that two codes share."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def distance(a: str, b: str) -> int:
    """Levenshtein's edit distance of two short strings."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def fills(claimed: str, right: str) -> bool:
    """True if lengthening the stem ``claimed``, or filling it with placeholders before its
    last character, can give the stem ``right`` (guidelines I.A.4, I.A.5 and I.B.2)."""
    if right.startswith(claimed):
        return True
    base = claimed[:-1]
    if len(claimed) < 4 or len(right) != 7 or not right.startswith(base):
        return False
    return set(right[len(base) : 6]) == {"X"}


def assign(
    claimed: Mapping[int, str],
    codes: list[str],
    fits: Callable[[str, str], bool] | None = None,
) -> dict[int, str]:
    """Give each claimed stem (by line) at most one of ``codes``, each code once.

    The closest couple goes first: longest common prefix, then smallest edit distance, then
    the order of the lines and of the record. ``fits`` narrows which couples are allowed; it
    sees stems without dot.
    """
    if not claimed or not codes:
        return {}
    couples = []
    for line, stem in claimed.items():
        for code in codes:
            right = code.replace(".", "")
            if fits is None or fits(stem, right):
                couples.append((line, code, stem, right))
    if len(couples) == 1:
        ((line, code, _, _),) = couples
        return {line: code}
    given: dict[int, str] = {}
    taken: set[str] = set()
    for line, code in _closest_first(couples):
        if line not in given and code not in taken:
            given[line] = code
            taken.add(code)
    return given


def _closest_first(couples: list[tuple[int, str, str, str]]) -> list[tuple[int, str]]:
    """Line and code of each couple. The edit distance, which is dear, is only measured where
    several couples share the prefix equally long."""
    shared = [common_prefix(stem, right) for _, _, stem, right in couples]
    often = Counter(shared)
    keys = []
    for order, (count, (_, _, stem, right)) in enumerate(zip(shared, couples, strict=True)):
        keys.append((-count, distance(stem, right) if often[count] > 1 else 0, order))
    keys.sort()
    return [couples[order][:2] for _, _, order in keys]
