"""Which categories a note could tie: a bit a category, worked out at compile time.

Most pairs of codes have no note between them, and this settles them without a look at one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .store import RawNote

Ties = dict[str, dict[str, int]]


def build_ties(
    stems: Sequence[str],
    ends: Sequence[int],
    notes: Mapping[int, Sequence[RawNote]],
    kinds: Mapping[str, frozenset[int]],
) -> Ties:
    """``bits``: category -> its bit; for each name in ``kinds``: category -> bits of the
    categories with which a note of these kinds at, above or below either could tie it."""
    index = {stem: node for node, stem in enumerate(stems)}
    categories = [stem for stem in stems if len(stem) == 3]
    bits = {stem: 1 << i for i, stem in enumerate(categories)}
    found = {name: dict.fromkeys(categories, 0) for name in kinds}

    def categories_of(node: int) -> list[str]:
        """The category of a code; all categories of a block or chapter."""
        if ":" not in stems[node]:
            return [stems[node][:3]]
        return [stem for stem in stems[node : ends[node]] if len(stem) == 3]

    for node, standing in notes.items():
        here = None
        for note in standing:
            masks = next((found[name] for name, own in kinds.items() if note[0] in own), None)
            if masks is None:
                continue
            if here is None:
                here = categories_of(node)
            for stem, _, _ in note[3]:
                there = categories_of(index[stem]) if stem in index else [stem[:3]]
                for head in here:
                    for other in there:
                        if head in bits and other in bits:
                            masks[head] |= bits[other]
                            masks[other] |= bits[head]
    return {"bits": bits, **found}
