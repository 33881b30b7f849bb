"""Which side of the body a code names, found by comparing titles within a category.

``Sciatica, right side`` and ``Sciatica, left side`` differ in one word: that makes them the
two sides of one condition. ``unspecified`` and ``bilateral`` count as sides only where they
stand in the place of that word. So ``Left ventricular failure`` has no side, and neither has
``unspecified trimester``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from .xml import Node

SIDES = ("right", "left", "bilateral", "unspecified")
_HERE = "@"
_WORD = re.compile(r"[a-z0-9']+|[^a-z0-9' ]")
_IRREGULAR = {"feet": "foot", "testes": "testis"}
# What a body has on both sides, as "unspecified ear" names it.
_PAIRED = frozenset(
    "side eye ear breast ovary arm leg hand foot extremity limb finger toe ankle".split()
)
# The two halves of the heart are different organs, not two sides of one.
_NOT_PAIRED = frozenset(("ventricle", "ventricular", "heart"))
# "bilateral" is no side here: of field defects it says that both eyes see them.
_NO_SIDE = frozenset(("G452", "H5346", "H5347"))
_HINT = re.compile("right|left|bilateral")
_IDLE = frozenset((",", "of", "the", "(", ")"))


def find_sides(nodes: Mapping[str, Node]) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The side of every sided code, and the groups of codes that differ by side alone.

    Returns ``({stem: side}, [{side: stem}, ...])``; a stem stands in at most one group.
    """
    side: dict[str, str] = {}
    groups: list[dict[str, str]] = []
    for stems in _categories(nodes):
        if not any(_HINT.search(nodes[stem].title.lower()) for stem in stems):
            continue
        for length in sorted({len(stem) for stem in stems}):
            level = [stem for stem in stems if len(stem) == length]
            if length > 3:
                groups += _compare(level, nodes, side)
    _add_bilateral_neighbours(nodes, side, groups)
    _inherit(nodes, side)
    return side, groups


def _categories(nodes: Mapping[str, Node]) -> Iterable[list[str]]:
    current: list[str] = []
    for stem in nodes:
        if ":" in stem:
            continue
        if len(stem) == 3 and current:
            yield current
            current = []
        current.append(stem)
    if current:
        yield current


def _compare(
    level: list[str], nodes: Mapping[str, Node], side: dict[str, str]
) -> list[dict[str, str]]:
    """Group the codes of one category and length whose titles differ by side only."""
    words = {stem: _words(nodes[stem].title) for stem in level}
    pairs: dict[tuple[str, ...], dict[str, str]] = {}
    for name in ("right", "left"):
        for stem in level:
            if name in words[stem] and not _both(words[stem]):
                key = tuple(_HERE if word == name else word for word in words[stem])
                if _NOT_PAIRED.intersection(key[key.index(_HERE) + 1 :][:1]):
                    continue
                group = pairs.setdefault(key, {})
                # Two codes with one title (a placeholder level repeats its parent's title)
                # never share a length; the first would win.
                group.setdefault(name, stem)
    pairs = {key: group for key, group in pairs.items() if len(group) == 2}
    paired = {stem for group in pairs.values() for stem in group.values()}
    pairs |= _by_content([stem for stem in level if stem not in paired], words)
    for group in pairs.values():
        for name, stem in group.items():
            side[stem] = name
    loose = _merge(pairs, _shorten)
    content = _merge(pairs, _content)
    dominant = _merge(pairs, _without_dominance, shared=True)
    bare = _merge(pairs, _bare) | _merge(pairs, lambda key: _bare(_shorten(key)))
    lone: dict[tuple[str, str], list[str]] = {}
    for stem in level:
        if stem in side or stem in _NO_SIDE or _both(words[stem]):
            continue
        for key in _with_place(words[stem], "unspecified"):
            found = pairs.get(key) or content.get(_content(key)) or bare.get(_unplaced(key) or ())
            if found and "unspecified" not in found:
                found["unspecified"] = stem
                side[stem] = "unspecified"
                break
            if key in dominant:
                # "affecting unspecified side" stands for the dominant and the other side, so
                # it joins neither of the two groups.
                side[stem] = "unspecified"
                break
            if _PAIRED.intersection(key[key.index(_HERE) + 1 :][:1]):
                lone.setdefault((stem[:-1], "unspecified"), []).append(stem)
                break
        if stem in side or "bilateral" not in words[stem]:
            continue
        # It speaks of the side even where no title for one side alone exists.
        side[stem] = "bilateral"
        for key in _with_place(words[stem], "bilateral"):
            found = pairs.get(key) or loose.get(_shorten(key)) or content.get(_content(key))
            if found and "bilateral" not in found:
                found["bilateral"] = stem
                break
        else:
            lone.setdefault((stem[:-1], "bilateral"), []).append(stem)
    _join_lone(lone, pairs.values(), side)
    return list(pairs.values())


def _join_lone(
    lone: Mapping[tuple[str, str], list[str]],
    groups: Iterable[dict[str, str]],
    side: dict[str, str],
) -> None:
    """Where a subcategory has one right, one left and one bilateral code, they belong together
    whatever else their titles differ in (``of right hand``, ``, bilateral``); the same holds
    for one code of unspecified side."""
    by_parent: dict[str, list[dict[str, str]]] = {}
    for group in groups:
        by_parent.setdefault(group["right"][:-1], []).append(group)
    for (parent, name), stems in lone.items():
        found = by_parent.get(parent, [])
        if len(stems) == len(found) == 1 and name not in found[0]:
            found[0][name] = stems[0]
            side[stems[0]] = name


def _by_content(
    level: list[str], words: Mapping[str, tuple[str, ...]]
) -> dict[tuple[str, ...], dict[str, str]]:
    """Pairs of neighbours whose titles differ in a comma or an "of" besides the side."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for stem in level:
        for name in ("right", "left"):
            if name in words[stem] and not _NOT_PAIRED.union(("x",)) & set(words[stem]):
                key = tuple(_HERE if word == name else word for word in words[stem])
                found.setdefault((stem[:-1], *_content(key)), {}).setdefault(name, stem)
    return {
        tuple(_HERE if word == "right" else word for word in words[group["right"]]): group
        for group in found.values()
        if len(group) == 2
    }


def _both(words: tuple[str, ...]) -> bool:
    return "right" in words and "left" in words


def _words(title: str) -> tuple[str, ...]:
    return tuple(map(_singular, _WORD.findall(title.lower())))


@lru_cache(maxsize=1 << 15)
def _singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _with_place(words: tuple[str, ...], name: str) -> Iterable[tuple[str, ...]]:
    """The title with each ``name`` in turn taken as the place of the side."""
    for place, word in enumerate(words):
        if word == name:
            yield (*words[:place], _HERE, *words[place + 1 :])


def _shorten(key: tuple[str, ...]) -> tuple[str, ...]:
    """Cut the words between the side and the next comma.

    ``cataract, right eye`` and ``cataract, bilateral`` meet in ``cataract, @``.
    """
    start = key.index(_HERE) + 1
    end = start
    while end < len(key) and key[end] != ",":
        end += 1
    return (*key[:start], *key[end:])


def _content(key: tuple[str, ...]) -> tuple[str, ...]:
    """The words without order: ``polyp of right middle ear``, ``polyp of middle ear, @``."""
    return tuple(sorted(word for word in key if word not in _IDLE))


def _bare(key: tuple[str, ...]) -> tuple[str, ...]:
    return _content(tuple(word for word in key if word != _HERE))


def _unplaced(key: tuple[str, ...]) -> tuple[str, ...] | None:
    """The words without ``, unspecified ear``; None where no such part stands by itself."""
    start = key.index(_HERE)
    if start == 0 or key[start - 1] != ",":
        return None
    tail = key[start + 1 :]
    if tail and tail[0] != ",":
        if tail[0] not in _PAIRED:
            return None
        tail = tail[1:]
    return _content((*key[:start], *tail))


def _without_dominance(key: tuple[str, ...]) -> tuple[str, ...]:
    text = " ".join(key)
    for words in ("non - dominant ", "nondominant ", "dominant "):
        text = text.replace(words, "")
    return tuple(text.split())


def _merge(
    pairs: Mapping[tuple[str, ...], dict[str, str]],
    reduce: Callable[[tuple[str, ...]], tuple[str, ...]],
    *,
    shared: bool = False,
) -> dict[tuple[str, ...], dict[str, str]]:
    """Groups by reduced title; those that several groups share only if ``shared``."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    several = set()
    for key, group in pairs.items():
        short = reduce(key)
        if short in found:
            several.add(short)
        found[short] = group
    if shared:
        return {key: found[key] for key in several}
    return {key: group for key, group in found.items() if key not in several}


def _add_bilateral_neighbours(
    nodes: Mapping[str, Node], side: Mapping[str, str], groups: list[dict[str, str]]
) -> None:
    """Join ``Bilateral primary osteoarthritis of knee`` to the sides of its neighbour.

    The neighbour is the subcategory with ``unilateral`` in the same place, and the sides are
    its children.
    """
    by_parent = {nodes[group["right"]].parent: group for group in groups}
    seen: dict[str | None, int] = {}
    for group in groups:
        parent = nodes[group["right"]].parent
        seen[parent] = seen.get(parent, 0) + 1
    for stem, name in side.items():
        if name != "bilateral" or nodes[stem].children:
            continue
        wanted = tuple(
            "unilateral" if word == "bilateral" else word for word in _words(nodes[stem].title)
        )
        for neighbour in nodes[nodes[stem].parent or ""].children:
            if _words(nodes[neighbour].title) == wanted and seen.get(neighbour) == 1:
                by_parent[neighbour].setdefault("bilateral", stem)


def _inherit(nodes: Mapping[str, Node], side: dict[str, str]) -> None:
    """A code below a sided subcategory has its side, unless its title says another."""
    for stem, node in nodes.items():
        if stem not in side and node.parent in side and not _both(_words(node.title)):
            side[stem] = side[node.parent]
