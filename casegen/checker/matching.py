"""Which expected code a claimed code was meant to be."""

from __future__ import annotations

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
    if len(claimed) == 1:
        ((line, stem),) = claimed.items()
        found = _closest(stem, codes, fits)
        return {} if found is None else {line: found}
    couples = []
    for place, (line, stem) in enumerate(claimed.items()):
        for order, code in enumerate(codes):
            right = code.replace(".", "")
            if fits is None or fits(stem, right):
                key = (-common_prefix(stem, right), distance(stem, right), place, order)
                couples.append((key, line, code))
    couples.sort()
    given: dict[int, str] = {}
    taken: set[str] = set()
    for _, line, code in couples:
        if line not in given and code not in taken:
            given[line] = code
            taken.add(code)
    return given


def _closest(stem: str, codes: list[str], fits: Callable[[str, str], bool] | None) -> str | None:
    """What ``assign`` gives a claimed stem that stands alone. The edit distance, which is dear,
    is only measured where the prefix leaves several."""
    if fits is not None:
        codes = [code for code in codes if fits(stem, code.replace(".", ""))]
    if len(codes) < 2:
        return codes[0] if codes else None
    shared = [common_prefix(stem, code.replace(".", "")) for code in codes]
    most = max(shared)
    best = [code for code, count in zip(codes, shared, strict=True) if count == most]
    if len(best) == 1:
        return best[0]
    return min(best, key=lambda code: distance(stem, code.replace(".", "")))
