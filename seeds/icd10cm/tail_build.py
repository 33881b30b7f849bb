"""Making the data of the long tail, once, while the tables are compiled."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from . import systems
from .codes import stem as bare
from .lexicon import lexicon
from .sevenths import for_silence, read_seventh, side_of
from .systems import ALSO
from .tail_rules import Rules
from .tail_words import Words, righted
from .xml import Node

DATA = Path(__file__).parent / "data"
_TRIMESTER = re.compile(r"\b(first|second|third) trimester\b")
# Weeks of gestation that belong to a trimester (note at the head of chapter 15).
_WEEKS = {"first": (8, 13), "second": (14, 27), "third": (28, 38)}
_SIDE_WORD = {side: re.compile(rf"\b{side}\b") for side in ("right", "left", "bilateral")}
_CODE = re.compile(r"\b[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]+)?")
_ELSEWHERE = re.compile(
    r" (?:in|due to)(?: (?:other|specified|chronic|bacterial|viral|infectious|and|parasitic|"
    r"mycoses|endocrine|metabolic|nutritional|neoplastic))* diseases? classified elsewhere"
)
_STRATUM_OF_CHAPTER = {
    2: "neoplasm",
    15: "obstetric",
    16: "newborn",
    17: "congenital",
    18: "symptom",
    19: "injury",
    20: "external_cause",
    21: "status",
}


def read_yaml(name: str) -> dict[str, Any]:
    """A data file beside this module; the C loader where there is one."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (DATA / name).read_text(encoding="utf-8")
    data: dict[str, Any] = yaml.load(text, Loader=loader)
    return data


def build_tail(
    nodes: Mapping[str, Node],
    flags: Mapping[str, frozenset[str]],
    sides: Mapping[str, str],
) -> dict[str, Any]:
    """The data of ``Tail``: only lists, dicts, tuples, strings and integers.

    ``nodes`` from ``xml.parse_tabular``; ``flags`` all MCE edits that a full stem (seventh
    character included) ever had; ``sides`` the first value of ``sides.find_sides``.
    """
    return _Builder(nodes, flags, sides).build()


class _Builder:
    def __init__(
        self,
        nodes: Mapping[str, Node],
        flags: Mapping[str, frozenset[str]],
        sides: Mapping[str, str],
    ) -> None:
        self.nodes = nodes
        self.flags = flags
        self.sides = sides
        self.rules = Rules(read_yaml("tail_rules.yaml"), nodes, sides, flags)
        lex = lexicon(read_yaml("tail_wording.yaml"), (node.title for node in nodes.values()))
        self.words = Words(nodes, sides, self.rules, lex)
        self.people = systems.people(read_yaml("tail_people.yaml"))
        self.corrosion = self.rules.data["corrosion_partner"]
        self.inherited: dict[str, tuple[tuple[str, str], ...]] = {}
        self.kept: dict[tuple[int, str, bool], tuple[tuple[str, str], ...]] = {}
        self.unique: dict[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = {}
        self.people_of: dict[tuple[Any, ...], tuple[str, ...]] = {}
        self.records: dict[str, list[list[Any]]] = defaultdict(list)
        self.groups: dict[tuple[Any, ...], list[Any]] = {}
        self.sets: dict[tuple[tuple[str, str], ...], int] = {(): 0}
        self.reasons: dict[str, str] = {}
        self.entered: dict[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...]]] = {}
        self.later: list[tuple[str, Node, int, tuple[tuple[str, str], ...], str]] = []

    def build(self) -> dict[str, Any]:
        chapter = 0
        for stem, node in self.nodes.items():
            if stem.startswith("chapter:"):
                chapter = int(stem[8:])
            elif not node.children and ":" not in stem:
                why = self.add(stem, node, chapter)
                if why:
                    self.reasons[stem] = why
        for stem, node, chapter, kept, first in self.later:
            why = self.add_manifestation(stem, node, chapter, kept, first)
            if why:
                self.reasons[stem] = why
        counts: dict[str, list[int]] = {}
        records: dict[str, list[str]] = {}
        sets = [list(chars) for chars in self.sets]
        for stratum, rows in self.records.items():
            total, counts[stratum], records[stratum] = 0, [], []
            for fields, entries in rows:
                total += len(entries) * (len(sets[int(fields[8])]) or 1)
                counts[stratum].append(total)
                records[stratum].append("\t".join((*fields, " ".join(entries))))
        return {"records": records, "counts": counts, "sevenths": sets, "reasons": self.reasons}

    # One code -----------------------------------------------------------------------------

    def add(self, stem: str, node: Node, chapter: int) -> str | None:
        """Enter a code; the reason if it isn't eligible."""
        chars = self.sevenths(node.stem)
        # Equal sets are one object here, which outlives this, so its id will do.
        key = (id(chars), stem[0], stem.startswith("O31"))
        if key not in self.kept:
            self.kept[key] = tuple(pair for pair in chars if _keeps(pair[1], stem))
        kept = self.kept[key]
        first = stem.ljust(6, "X") + chars[0][0] if chars else stem
        if stem.startswith("Z3A"):
            return self.add_weeks(stem, node)
        partner = ""
        why = self.rules.why_not(stem, first)
        if why == "needs_another_code" and stem[:2] == "T2" and node.title.startswith("Corrosion"):
            why, partner = self.rules.title_reason(node.title, stem), self.corrosion + "?"
        if why == "manifestation":
            self.later.append((stem, node, chapter, kept, first))
            return None
        if why == "poisoning_or_drug_effect" and node.title.startswith("Adverse effect of"):
            return self.add_adverse_effect(stem, node, chapter, kept, first)
        if why:
            return why
        if chars and not kept and stem[0] != "O":
            return "seventh_unspecified"
        found = self.words.words_for(stem, node)
        if found is None:
            return "other_without_term"
        term, names = found
        if not term:
            return "not_resolvable"
        stratum = _STRATUM_OF_CHAPTER.get(chapter, "disease")
        if "newborn" in self.flags.get(first, ()):
            stratum = "newborn"
        if stratum == "obstetric":
            partner = self.weeks(stem, node.title)
        if kept or not chars:
            self.enter(stem, chapter, stratum, term, names, partner, kept, first)
        if stratum == "obstetric" and chars:
            self.add_fetuses(stem, chapter, term, names, partner, chars, first)
        return None

    def add_adverse_effect(
        self, stem: str, node: Node, chapter: int, chars: tuple[tuple[str, str], ...], first: str
    ) -> str | None:
        """Adverse effects stand behind their nature (guideline I.C.19.e.5.a): as a partner."""
        reason = "poisoning_or_drug_effect"
        if stem.startswith(tuple(self.rules.data["adverse_effect_not"])):
            return reason
        found = self.words.words_for(stem, node)
        if found is None or not found[0] or "unspecified" in node.title:
            return reason
        term, names = found
        names = tuple(name for name in names if not name.startswith(ALSO))
        drug = names[0].removeprefix("adverse effect of ")
        names = (
            *names[:2],
            f"nausea as an adverse effect of {drug}",
            f"nausea from {drug} taken as prescribed",
        )
        active = tuple(pair for pair in chars if pair[0] == "A")
        nature = self.rules.data["adverse_effect_partner"]
        self.enter(stem, chapter, "injury", term, names, nature, active, first)
        return None

    def add_fetuses(
        self,
        stem: str,
        chapter: int,
        term: str,
        names: tuple[str, ...],
        weeks: str,
        chars: tuple[tuple[str, str], ...],
        first: str,
    ) -> None:
        """The codes for a numbered fetus, with the code of the multiple pregnancy."""
        week = int(weeks[3:]) if weeks else 30
        trimester = 1 if week < 14 else 2 if week < 28 else 3
        by_partner: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for char, text in chars:
            multiple = self.rules.data["multiples"].get(char)
            if multiple and text.startswith("fetus"):
                # Higher multiples don't reach term.
                last = "Z3A34" if char in "34" and week > 34 else weeks
                by_partner[f"{multiple}{trimester},{last}".strip(",")].append((char, text))
        for partner, kept in by_partner.items():
            self.enter(stem, chapter, "obstetric", term, names, partner, tuple(kept), first)

    def add_weeks(self, stem: str, node: Node) -> str | None:
        match = re.match(r"(\d+) weeks gestation", node.title)
        if not match and stem != "Z3A49":
            return "partner_only"
        week = match[1] if match else "more than 42"
        names = (f"{week} weeks gestation", f"pregnancy at {week} weeks", f"{week} weeks pregnant")
        self.enter(stem, 21, "weeks", node.title, names, "", (), stem)
        return None

    def sevenths(self, stem: str) -> tuple[tuple[str, str], ...]:
        """The seventh characters that hold for a node, own or inherited."""
        if stem not in self.inherited:
            node = self.nodes[stem]
            if node.seventh is not None:
                given = tuple(node.seventh.items())
                own = self.unique.setdefault(given, given)
            else:
                own = self.sevenths(node.parent) if node.parent else ()
            self.inherited[stem] = own
        return self.inherited[stem]

    def weeks(self, stem: str, title: str) -> str:
        if stem[:3] in self.rules.data["no_weeks"]:
            return ""
        low, high = systems.by_prefix(stem, self.rules.data["weeks_by_prefix"], (28, 38))
        match = _TRIMESTER.search(title)
        if match:
            first, last = _WEEKS[match[1]]
            low, high = (first, last) if high == 38 else (max(low, first), min(high, last))
            if any(stem.startswith(code) for code in self.rules.data["preterm"]):
                low, high = max(low, 20), min(high, 36)
        week = low + sum(map(ord, stem)) % (high - low + 1)
        return f"Z3A{week:02d}"

    def enter(
        self,
        stem: str,
        chapter: int,
        stratum: str,
        term: str,
        names: tuple[str, ...],
        partner: str,
        chars: tuple[tuple[str, str], ...],
        first: str,
        others: tuple[str, ...] = (),
    ) -> None:
        """Put the code into its record; the sides of one condition share a record."""
        side = self.sides.get(stem) or ""
        title = self.nodes[stem].title
        flags = self.flags.get(first, frozenset())
        key = (stem[:-1], righted(title), stratum, flags, others)
        if key not in self.people_of:
            words = (*systems.words_of(title), *systems.words_of(term), *others)
            low, high = systems.age_of(stem, words, flags, self.people)
            if stratum == "newborn":
                low = high = 0
            self.people_of[key] = (
                systems.system_of(stem, chapter, words, self.people),
                systems.sex_of(stem, words, flags, self.people) or "",
                str(low),
                str(high),
                self.urgency(stem, chapter, title),
                ",".join(systems.suits(stem, title.lower())),
            )
        fields = (
            _SIDE_WORD[side].sub("{side}", term) if side else term,
            *self.people_of[key],
            partner,
            str(self.sets.setdefault(chars, len(self.sets))),
            "|".join(names),
        )
        row = self.groups.get((stratum, fields))
        if row is None:
            row = self.groups[stratum, fields] = [fields, []]
            self.records[stratum].append(row)
        row[1].append(f"{stem}:{side}" if side else stem)
        self.entered[stem] = (names, chars)

    def urgency(self, stem: str, chapter: int, title: str) -> str:
        """Where the state is met: "2" on a ward only, "1" in an emergency department too."""
        if systems.is_gravest(stem, chapter, title, self.people):
            return "2"
        return "1" if systems.is_severe(stem, chapter, title, self.people) else "0"

    # Manifestations -----------------------------------------------------------------------

    def add_manifestation(
        self,
        stem: str,
        node: Node,
        chapter: int,
        chars: tuple[tuple[str, str], ...],
        first: str,
    ) -> str | None:
        """A manifestation stands with the etiology that its code-first note names (guideline
        I.A.13): the first code of the note that is eligible itself."""
        partner = self.etiology(stem)
        match = _ELSEWHERE.search(node.title)
        why = self.rules.title_reason(_ELSEWHERE.sub("", node.title), stem)
        if partner is None or match is None or why:
            return why or "manifestation_without_partner"
        base = self.rules.spoken_title(_ELSEWHERE.sub("", node.title))
        side = self.sides.get(stem)
        names = self.words.names_of(base, side) if base else ()
        if not names:
            return "other_without_term"
        parent = self.nodes.get(node.parent or "")
        above = [parent.title] if side and parent is not None else []
        for term in (*above, node.title):
            if self.words.resolves(term, side, stem):
                cause = [n for n in self.entered[partner][0] if not n.startswith(ALSO)]
                words = systems.words_of(self.nodes[partner].title)
                said = tuple(
                    _caused(name, cause[i % len(cause)]) for i, name in enumerate(names[:2])
                )
                self.enter(stem, chapter, "manifestation", term, said, partner, chars, first, words)
                return None
        return "not_resolvable"

    def etiology(self, stem: str) -> str | None:
        chosen = systems.by_prefix(stem, self.rules.data["partner_by_prefix"], "")
        if chosen in self.entered:
            return str(chosen)
        current: str | None = stem
        while current is not None:
            node = self.nodes[current]
            for note in node.code_first:
                for code in _CODE.findall(note):
                    for leaf in self.words.below(bare(code)) if bare(code) in self.nodes else ():
                        if (
                            leaf in self.entered
                            # Congenital infections belong to newborns, who are no such patients.
                            and not leaf.startswith(("P", "A50"))
                            and not self.sides.get(leaf)
                            and not self.entered[leaf][1]
                        ):
                            return leaf
            current = node.parent
        return None


def _caused(name: str, cause: str) -> str:
    """A manifestation with its cause, before the first comma: "dementia due to X, mild"."""
    head, comma, rest = name.partition(",")
    return f"{head} {'in' if ' due to ' in cause else 'due to'} {cause}{comma}{rest}"


def _keeps(text: str, stem: str) -> bool:
    """Seventh characters of right codes: no sequela (its residual condition would come first,
    guideline I.B.10), no eye of a diabetic, no numbered fetus, no silence where the chart could
    speak (stage); a single fetus is silence by convention."""
    if text == "not applicable or unspecified":
        return not stem.startswith("O31")  # complications of multiple pregnancies only
    if stem[0] == "O" or side_of(text) or for_silence(text):
        return False
    return read_seventh("", text).phase != "sequela"
