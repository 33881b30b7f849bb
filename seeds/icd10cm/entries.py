"""What the tables know of one code, found once and kept."""

from __future__ import annotations

from dataclasses import dataclass

from .codes import canonical, stem
from .conflicts import Place
from .sevenths import Seventh, side_of
from .store import SIDES, History, Store


@dataclass(slots=True)
class Entry(Place):
    """A code, block or chapter, or text that is none of them (``node`` -1).

    ``node`` is the node itself or the leaf of a complete code with seventh character ``char``.
    ``always``: complete and valid in the whole period of the data. ``history``: its rows of
    (from, to, edits).
    """

    node: int = -1
    char: str = ""
    billable: bool = False
    always: bool = False
    history: History = ()
    seventh: Seventh | None = None
    side: str | None = None

    @property
    def printed(self) -> tuple[str, ...]:
        """``line`` with dots."""
        return tuple(one if ":" in one else canonical(one) for one in self.line)

    @property
    def leaf(self) -> str:
        """Stem of the node: the code without its seventh character."""
        return self.line[len(self.line) - len(self.nodes)]


_TOP: tuple[tuple[int, ...], tuple[str, ...], frozenset[str]] = ((), (), frozenset())


def look_up(store: Store, code: str) -> Entry:
    """The entry of a code in any spelling."""
    name = code.strip() if ":" in code else stem(code)
    node = store.index.get(name, -1)
    char = ""
    if node < 0 and len(name) == 7:
        node, char = _leaf(store, name)
    if node < 0:
        history = store.history(name)
        return Entry(canonical(name), name, frozenset((name,)), (name,), (), history=history)
    # The chains of leaves are kept nowhere but in their entries: there are too many of them.
    above = store.parents[node]
    nodes, line, up = store.chain(above) if above >= 0 else _TOP
    own = store.stems[node]
    side = SIDES[store.sides[node]]
    sevenths = store.sevenths(node)
    seventh = sevenths[char] if char else None
    if seventh:
        line = (name, own, *line)
        up = up | {name, own}
        side = side_of(seventh.text) or side
    else:
        line = (own, *line)
        up = up | {own}
    is_code = ":" not in name
    billable = bool(char) or (is_code and store.is_leaf(node) and not sevenths)
    history = store.history(name)
    return Entry(
        (name if len(name) <= 3 else f"{name[:3]}.{name[3:]}") if is_code else name,
        name,
        up,
        line,
        (node, *nodes),
        node,
        char,
        billable,
        billable and not history,
        history,
        seventh,
        side,
    )


def _leaf(store: Store, name: str) -> tuple[int, str]:
    """Leaf and seventh character of a complete code, (-1, "") if it is none."""
    base, char = name[:6], name[6]
    while base not in store.index and len(base) > 3 and base.endswith("X"):
        base = base[:-1]
    node = store.index.get(base, -1)
    if node >= 0 and char in store.sevenths(node):
        return node, char
    return -1, ""
