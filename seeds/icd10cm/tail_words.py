"""The official wording by which a code of the long tail stands in the record, with phrases.

The term must lead to its code alone, by the same reading as ``Tables.resolve``; the phrases
come from the title or from an inclusion term under it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from . import wording
from .lexicon import Lexicon
from .systems import ALSO
from .tail_rules import Rules
from .xml import Node

_REGION = re.compile(r"\b(?:right|left)\b(?: (?P<region>[^,]+))?$|, bilateral$")
_LEFT = re.compile(r"\b[Ll]eft\b")
_WORD = re.compile(r"[^\W_]+")

# Inclusion terms of one time of life: the title holds for others too.
_AGED = re.compile(
    r"neonat|newborn|infan|juvenil|child|adolesc|adrenarche|pubert|senil|premature|congenital",
    re.IGNORECASE,
)


class Words:
    """Terms and phrases for the codes of one tabular list."""

    def __init__(
        self,
        nodes: Mapping[str, Node],
        sides: Mapping[str, str],
        rules: Rules,
        lex: Lexicon,
    ) -> None:
        self.nodes = nodes
        self.sides = sides
        self.rules = rules
        self.lex = lex
        self._terms = _index(nodes)
        self._leaves: dict[str, list[str]] = {}
        self._named: dict[tuple[str, bool], tuple[str, ...]] = {}

    def words_for(self, stem: str, node: Node) -> tuple[str, tuple[str, ...]] | None:
        """``(term, names)``: the official wording that resolves to the code, and phrases for
        it, those of an inclusion term marked ``ALSO``; an empty term if nothing resolves, None
        if nothing can be said."""
        side = self.sides.get(stem)
        parent = self.nodes.get(node.parent or "")
        above = parent if side and parent is not None and ":" not in parent.stem else None
        title = self.rules.spoken_title(node.title)
        extra = self.inclusions(node, above, node.title, side)
        if title is None:
            return next(extra, None)
        names = self.names_of(title, side)
        if not names:
            return None
        more = next(
            (
                p
                for p in extra
                if "(" not in p[0]
                and (" and " not in p[0] or " and " in title)
                and not _AGED.search(p[0])
            ),
            None,
        )
        if more and more[1][0] not in names:
            # An inclusion term may be a narrower disease; no note says both.
            names = (*names[:3], *[ALSO + name for name in more[1][:3] if name not in names])
        terms = [above.title] if above is not None else []
        for term in (*terms, node.title):
            if self.resolves(term, side, stem):
                return term, names
        return more or ("", ())

    def inclusions(
        self, node: Node, above: Node | None, title: str, side: str | None
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Inclusion terms that stand by themselves and lead to the code, with their phrases."""
        for holder in (node, above):
            for term in holder.inclusion_terms if holder is not None else ():
                if self.resolves(term, side, node.stem) and self.rules.usable_term(term, node.stem):
                    names = self.names_of(self.with_side(term, title, side), side)
                    if side and " with " in term and names:
                        names = (f"{wording.tidy(term, self.lex)}, {{side}}",)
                    if names:
                        yield term, names

    def with_side(self, term: str, title: str, side: str | None) -> str:
        if not side or re.search(r"\b(right|left|bilateral)\b", term, re.IGNORECASE):
            return term
        match = _REGION.search(title)
        region = match["region"] if match and match["region"] else ""
        if region and (" of " in term or " in " in term) and self._said(term, region):
            region = ""
        return f"{term}, {'bilateral' if side == 'bilateral' else 'right'} {region}".strip()

    def _said(self, term: str, region: str) -> bool:
        lower = term.lower()
        return region in lower or wording.implied(lower, region, self.lex)

    def names_of(self, title: str, side: str | None) -> tuple[str, ...]:
        """Phrases for a title; with a side they hold its slot."""
        key = (righted(title) if side else title, bool(side))
        names = self._named.get(key)
        if names is None:
            names = self._named[key] = wording.templates(key[0], self.lex, bool(side))
        return names

    def resolves(self, term: str, side: str | None, stem: str) -> bool:
        """Does the official wording, as printed, with this side lead to this leaf alone? The
        same question as ``Tables.resolve``, with coarser matching of words, so that yes here is
        yes there."""
        found = False
        for holder in self._terms.get(term, ()):
            for leaf in self.below(holder):
                if leaf == stem and found:
                    continue
                axis = self.sides.get(leaf)
                if axis == side or axis is None or (side is None and axis == "unspecified"):
                    if leaf != stem:
                        return False
                    found = True
        return found

    def below(self, stem: str) -> list[str]:
        if stem not in self._leaves:
            node = self.nodes[stem]
            self._leaves[stem] = (
                [leaf for child in node.children for leaf in self.below(child)]
                if node.children
                else [stem]
            )
        return self._leaves[stem]


def _index(nodes: Mapping[str, Node]) -> dict[str, list[str]]:
    """Wording as printed -> the nodes that have it in any case and punctuation."""
    alike: dict[str, list[str]] = defaultdict(list)
    index: dict[str, list[str]] = {}
    for stem, node in nodes.items():
        for term in (node.title, *node.inclusion_terms):
            holders = index.get(term)
            if holders is None:
                holders = index[term] = alike[" ".join(_WORD.findall(term.lower()))]
            holders.append(stem)
    return index


def righted(title: str) -> str:
    """Both sides of a condition get the same phrases."""
    if "eft" not in title:
        return title
    return _LEFT.sub(lambda m: "Right" if m[0][0] == "L" else "right", title)
