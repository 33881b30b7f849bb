"""From an official wording and attributes to the billable codes that it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .sevenths import Seventh, for_silence, side_of
from .store import SIDES, Store
from .terms import find, normalise


def resolve(store: Store, term: str, attributes: Mapping[str, str]) -> list[str]:
    """Stems of the complete codes that ``term`` with ``attributes`` names; see
    ``Tables.resolve``."""
    keys, places = store.term_keys
    nodes = find(keys, places, term)
    if len(nodes) == 1 and store.is_leaf(nodes[0]):
        (leaf,) = nodes
        if not _side_fits(store, leaf, leaf, attributes.get("side")):
            return []
        return sorted(_complete(store, leaf, attributes))
    found: list[str] = []
    named: list[int] = []
    # "Pneumonia, unspecified organism" is the title of J18 and of J18.9 below it: the deeper
    # node is meant, unless the attributes rule it out.
    for node in sorted(nodes, reverse=True):
        if any(node < deeper < store.ends[node] for deeper in named):
            continue
        codes = [
            code
            for leaf in range(node, store.ends[node])
            if store.is_leaf(leaf) and _side_fits(store, node, leaf, attributes.get("side"))
            for code in _complete(store, leaf, attributes)
        ]
        if codes:
            named.append(node)
            found += codes
    return sorted(found)


def _side_fits(store: Store, node: int, leaf: int, side: str | None) -> bool:
    """Whether the leaf has the side. A wording that names a sided code says its side itself;
    where it names a code above, silence means ``unspecified``."""
    own = SIDES[store.sides[leaf]]
    if own is None:
        return True
    if side is not None:
        return own == side
    said = own if leaf == node else SIDES[store.sides[node]]
    return own == (said or "unspecified")


def _complete(store: Store, leaf: int, attributes: Mapping[str, str]) -> Iterator[str]:
    stem = store.stems[leaf]
    sevenths = store.sevenths(leaf)
    if not sevenths:
        yield stem
        return
    stem = stem.ljust(6, "X")
    for char, seventh in fitting(sevenths, attributes).items():
        if (
            _phase_fits(seventh, attributes)
            and _fracture_fits(seventh, attributes)
            and _eye_fits(seventh, attributes)
        ):
            yield stem + char


def fitting(sevenths: Mapping[str, Seventh], attributes: Mapping[str, str]) -> dict[str, Seventh]:
    """Those with the text that ``seventh`` gives. Without one, a set that has a text for
    silence (``stage unspecified``) means that one; other sets stay open."""
    said = attributes.get("seventh")
    if said is not None:
        wanted = normalise(said)
        return {c: one for c, one in sevenths.items() if normalise(one.text) == wanted}
    silent = {
        char: one
        for char, one in sevenths.items()
        if for_silence(one.text) and side_of(one.text) is None
    }
    return silent or dict(sevenths)


def _phase_fits(seventh: Seventh, attributes: Mapping[str, str]) -> bool:
    healing = attributes.get("healing")
    # Healing is only told of a fracture in its subsequent care.
    phase = attributes.get("phase") or ("healing" if healing else None)
    if seventh.phase is not None and phase is not None and seventh.phase != phase:
        return False
    return seventh.healing is None or healing is None or seventh.healing == healing


def _fracture_fits(seventh: Seventh, attributes: Mapping[str, str]) -> bool:
    """A fracture not said to be open is coded as closed (note at S52 and its like; guideline
    I.C.19.c). An open one without a type counts as type I or II (note under character B)."""
    own = seventh.fracture
    if own is None:
        return True
    said = attributes.get("fracture", "closed")
    if said == "open":
        return own in ("open", "open_1_2")
    if own == "open":
        return said in ("open_1_2", "open_3")
    return own == said


def _eye_fits(seventh: Seventh, attributes: Mapping[str, str]) -> bool:
    own = side_of(seventh.text)
    return own is None or "seventh" in attributes or own == attributes.get("side", "unspecified")
