"""What the injectors draw from the whole code set, indexed once and kept in the cache."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from casegen.seeds.filecache import remembered
from casegen.seeds.icd10cm.codes import canonical
from casegen.seeds.icd10cm.conflicts import EXCLUDES1
from casegen.seeds.icd10cm.listing import billable_below, chapter_codes, future_codes

from .axes import AxisPool, Raw, axis_codes, axis_pools
from .felt import is_felt
from .randomness import Fixed

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.icd10cm.tail import TailCode

FORMAT = 10  # raise when what is indexed below changes
RIVALS = 4
# Of these one may be thought of for another.
_KIN = frozenset(("disease", "neoplasm", "congenital", "injury"))
# What somebody may come for, and be thought to have instead of something else.
_RIVAL = frozenset(("disease", "neoplasm", "injury", "congenital", "symptom"))
# Where codes of one sex stand: names of categories in the tabular list. Whether a code
# belongs to that sex is asked of the tables, code by code.
MALE = "C60 C61 C62 C63 N40 N41 N42 N43 N44 N45 N47 N48 N49 N50".split()
FEMALE = (
    "C51 C52 C53 C54 C56 D25 D26 D27 N70 N71 N72 N73 N75 N76 N80 N81 N83 N84 N85 N86 N87 N88 N89 "
    "N90 N91 N92 N93 N94 N95 O03 O10 O13 O14 O20 O21 O22 O23 O24 O26 O34 O36 O41 O42 O44 O46 O47 "
    "O60 O70 O72 O80 O86 O91 Z34 Z36 Z39"
).split()
# Where the age groups of the Medicare Code Editor have codes; the edit itself is asked of
# the tables. A number means a whole chapter.
AGE_PLACES: dict[str, tuple[str | int, ...]] = {
    "newborn": (16, "Z38", "Z05", "A33", "E84.11", "N47.0", "H04.53"),
    "pediatric": (
        *("Z00.12", "R62.5", "Z76.2", "H26.0", "R68.1", "B08.2", "C93.3", "E30.1", "R63.3"),
        *("A48.51", "L20.83", "L21.1", "L70.4", "G93.7", "R10.83", "Z73.8", "Z62"),
    ),
    "maternity": (15, "Z34", "Z37", "Z39"),
    "adult": (
        *("N40", "F03", "M80.0", "M81", "Z00.0", "E89", "F52", "H25", "R54", "N95", "I70", "I83"),
        *("H35.3", "I25", "M42", "K70", "N52", "F01", "H02", "E28.3", "N60", "M83", "H43", "Z68"),
    ),
}


@dataclass(frozen=True, slots=True)
class Longtail:
    """Indexes over the complete code set.

    - ``rivals``: pairs of right codes of the long tail that narrow Excludes1 notes keep apart
      with certainty and that one patient could be thought to have either of;
    - ``odd``: complete codes that look made up;
    - ``male``, ``female``: lists of codes of one sex, a list a category;
    - ``age``: codes by age group of the Medicare Code Editor, a list a category;
    - ``future``: codes that begin after the encounter window, by the code that they divide;
    - ``axes``: codes of the long tail by the axis along which they can be got wrong.
    """

    rivals: list[tuple[str, str]]
    odd: list[str]
    male: list[list[str]]
    female: list[list[str]]
    age: Mapping[str, list[list[str]]]
    future: Mapping[str, list[str]]
    axes: Mapping[str, Sequence[AxisPool]]


def longtail(tables: Tables) -> Longtail:
    """The indexes, from the cache where it has them."""

    def build() -> dict[str, Any]:
        return {
            "rivals": rivals(tables),
            "odd": odd_codes(tables),
            "male": [c for p in MALE if (c := _of_sex(tables, p, "male"))],
            "female": [c for p in FEMALE if (c := _of_sex(tables, p, "female"))],
            "age": {group: _of_age(tables, group, at) for group, at in AGE_PLACES.items()},
            "future": _future(tables),
            "axes": axis_codes(tables),
        }

    # The digest names the official sources; our rules for the long tail count as well.
    made_from = tables.store.checksum("tail", "notes", "ties") + tables.digest
    found = remembered(f"longtail-{FORMAT}", made_from, build)
    raw: dict[str, list[Raw]] = found["axes"]
    return Longtail(**{**found, "axes": axis_pools(raw)})


def narrow_notes(tables: Tables) -> list[tuple[str, str]]:
    """Pairs of codes (as in the list, billable or not) that an Excludes1 note ties: the note
    stands on a code, names one other code, and gives no seventh character.

    Whether its words reach is judged code by code when a pair is drawn.
    """
    store = tables.store
    found = []
    for node in sorted(store.notes):
        holder = store.stems[node]
        if ":" in holder:
            continue
        for kind, _, _, targets in store.notes[node]:
            if kind not in EXCLUDES1 or len(targets) != 1:
                continue
            first, last, seventh = targets[0]
            if last is None and seventh is None and first in store.index and ":" not in first:
                found.append((canonical(holder), canonical(first)))
    return found


def rivals(tables: Tables) -> list[tuple[str, str]]:
    """For each narrow note up to ``RIVALS`` pairs of codes that it certainly keeps apart."""
    found: list[tuple[str, str]] = []
    for holder, target in narrow_notes(tables):
        left = _sample(tables, holder)
        right = _sample(tables, target) if left else []
        pairs = [(a, b) for a in left for b in right if alike(a, b)]
        lane = Fixed(f"rivals/{holder}/{target}")
        taken = 0
        for a, b in lane.shuffled(pairs)[: 2 * RIVALS]:
            hits = tables.excludes1(a.code, b.code)
            if hits and all(hit.reach == "certain" for hit in hits):
                found.append((a.code, b.code))
                taken += 1
                if taken == RIVALS:
                    break
    return found


def _sample(tables: Tables, code: str) -> list[TailCode]:
    """Right codes of the long tail at or below a code, spread over them."""
    below = billable_below(tables, code)
    step = max(1, len(below) // 24)
    entries = (tables.tail_of(one) for one in below[::step][:24])
    rivals = (e for e in entries if e is not None and not e.partners and e.stratum in _RIVAL)
    return list(islice(rivals, 6))


def alike(a: TailCode, b: TailCode) -> bool:
    """Whether one patient could be thought to have either: same kind of problem, and sex,
    age, side and phase that do not contradict each other."""
    if a.stratum != b.stratum and not {a.stratum, b.stratum} <= _KIN:
        return False
    if a.sex and b.sex and a.sex != b.sex:
        return False
    # A symptom is felt or not, whatever a test shows.
    if is_felt(a.code) or is_felt(b.code):
        return False
    here, there = (parts_of(" ".join((one.term, *one.names))) for one in (a, b))
    if here and there and here.isdisjoint(there):
        return False
    one, two = set(a.term.lower().split()), set(b.term.lower().split())
    if "unspecified" in one | two or one <= two or two <= one:
        # The general name of a thing is not ruled out by its kind.
        return False
    if max(a.age[0], b.age[0]) > min(a.age[1], b.age[1]):
        return False
    for axis in ("side", "phase"):
        mine, other = a.attributes.get(axis), b.attributes.get(axis)
        if mine and other and mine != other:
            return False
    return True


# Parts of the body in titles; what is in one is not mistaken for what is in another.
_PART = re.compile(
    r"\b(abdom\w+|ankle|arm|back|bladder|bone|brain|breast|chest|ear|elbow|esophag\w+|eye|eyelid"
    r"|face|facial|finger|foot|forearm|hand|head|heart|hip|jaw|kidney|knee|leg|lip|liver|lung|mouth"
    r"|neck|nose|nasal|pelvi\w+|shoulder|spine|spinal|stomach|thigh|throat|thumb|toe|tongue"
    r"|tooth|trunk|wrist)(?:e?s)?\b"
)
_ONE_PART = {
    "eyelid": "eye", "facial": "face", "nasal": "nose", "spinal": "back", "spine": "back",
    "jaw": "mouth", "lip": "mouth", "tongue": "mouth", "tooth": "mouth", "throat": "neck",
    "thumb": "finger",
}  # fmt: skip


def parts_of(term: str) -> frozenset[str]:
    """The parts of the body that a title names."""
    return frozenset(_ONE_PART.get(one, one) for one in _PART.findall(term.lower()))


def odd_codes(tables: Tables) -> list[str]:
    """Right codes of the long tail that look made up: a letter after the second character,
    or placeholders before the seventh; in order of the tabular list."""
    store = tables.store
    found = []
    for node, stem in enumerate(store.stems):
        # An external cause stands only beside the injury that it brought about.
        if ":" in stem or not store.is_leaf(node) or stem[0] in "VWXY":
            continue
        chars = store.sevenths(node)
        if chars:
            if len(stem) <= 4:
                found += [canonical(stem.ljust(6, "X") + char) for char in chars if char in "AD"]
        elif any(c.isalpha() for c in stem[2:]):
            found.append(canonical(stem))
    entries = ((code, tables.tail_of(code)) for code in found)
    return [
        code
        for code, entry in entries
        if entry is not None and not entry.partners and entry.stratum not in ("weeks", "newborn")
    ]


def _of_sex(tables: Tables, prefix: str, sex: str) -> list[str]:
    """Codes below a category that mean this sex, first encounters or single births only."""
    found = []
    for code in billable_below(tables, prefix):
        seventh = tables.seventh(code)
        meaning = tables.sex_by_meaning(code)
        if meaning and meaning[0] == sex and (seventh is None or seventh.char in "0A"):
            found.append(code)
    return found


def _of_age(tables: Tables, group: str, places: Iterable[str | int]) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for place in places:
        codes = (
            chapter_codes(tables, place)
            if isinstance(place, int)
            else billable_below(tables, place)
        )
        first, last = tables.window
        for code in codes:
            if group in tables.edits(code, first) and group in tables.edits(code, last):
                found.setdefault(code[:3], []).append(code)
    return list(found.values())


def _future(tables: Tables) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for code in future_codes(tables, tables.window[1]):
        for cut in range(len(code) - 1, 4, -1):
            if tables.billable(code[:cut]):
                out.setdefault(code[:cut], []).append(code)
                break
    return out
