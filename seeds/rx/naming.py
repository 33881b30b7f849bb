"""How findings are named, and which names mean the same.

A name is a pair ``A-B``: what is wrong and the drug. Pairs compare without order and case;
blanks, underscores and hyphens are one, and each of them may be the border of the pair, since
names of drugs hold hyphens themselves. Brands, other names of drugs and the synonyms of classes,
allergies and conditions that the knowledge lists stand for the thing they name. Nothing is
guessed: a misspelt name is another name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from .knowledge import Rx
from .loader import load
from .model import Contraindication, Interaction, Measure

Pair = tuple[str, str]

_BREAK = re.compile(r"[\s_\-\u2010-\u2015+/,]+")
_DROPPED = str.maketrans("", "", "'\u2019.()")
_LONGEST = 24  # words of a name; a longer text is none
# Other names of what is measured, and what a value too low or too high is called.
_MEASURES: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "eGFR": (("GFR",), ("kidney disease",), ()),
    "CrCl": (("creatinine clearance",), ("kidney disease",), ()),
    "creatinine": (("serum creatinine",), (), ("kidney disease",)),
    "potassium": ((), ("hypokalemia",), ("hyperkalemia",)),
    "calcium": ((), ("hypocalcemia",), ("hypercalcemia",)),
    "QTc": (("QT", "QTc interval"), (), ("QT prolongation", "prolonged QT")),
    "heart rate": (("pulse",), ("bradycardia",), ("tachycardia",)),
    "LVEF": (("ejection fraction",), ("heart failure",), ()),
    "platelets": (("platelet count",), ("thrombocytopenia",), ()),
    "neutrophils": (("neutrophil count",), ("neutropenia",), ()),
    "triglycerides": ((), (), ("hypertriglyceridemia",)),
    "albumin": ((), ("hypoalbuminemia",), ()),
}
# Renal insufficiency, impairment or disease has a code of its own (N28.9), but who calls a kidney
# disease of a known stage so means the same.
_RENAL = "renal insufficiency"
_SEVERE = Decimal(30)  # an eGFR below it is stage 4 or 5 (KDIGO)
_ADULT, _OLD = 18 * 12, 60 * 12


def words(text: str) -> str:
    """``text`` in small letters, its words parted by one blank."""
    return " ".join(_BREAK.sub(" ", text.translate(_DROPPED)).split()).casefold()


def slug(text: str) -> str:
    """``text`` as one side of a name: small letters, underscores for blanks."""
    return "_".join(text.translate(_DROPPED).replace(",", " ").split()).lower()


def names_of(others: Iterable[str], drug: str) -> list[str]:
    """``other-drug`` for each, in order, each once."""
    return list(dict.fromkeys(f"{slug(other)}-{slug(drug)}" for other in others if other))


@lru_cache(maxsize=1)
def _meanings(rx: Rx) -> dict[str, frozenset[str]]:
    """What each known name means: ids that begin with their kind."""
    found: dict[str, set[str]] = {}

    def add(name: str, meaning: str) -> None:
        found.setdefault(words(name), set()).add(meaning)

    for drug in rx.drugs.values():
        for name in (drug.id, *drug.brands):
            add(name, f"drug:{drug.id}")
    for name, one in rx.synonyms.items():
        add(name, f"drug:{one}")
    for kind in rx.classes.values():
        for name in (kind.id, kind.title, *kind.names):
            add(name, f"class:{kind.id}")
    for allergy in rx.allergies:
        for name in (allergy.id, allergy.title, *allergy.names):
            add(name, f"allergy:{allergy.id}")
    for condition in rx.conditions:
        for name in (condition.name, *condition.synonyms):
            add(name, f"condition:{condition.name}")
    return {name: frozenset(meanings) for name, meanings in found.items()}


def meanings(text: str, rx: Rx | None = None) -> frozenset[str]:
    """What one side of a name may mean; its own words where nothing is known of it."""
    plain = words(text)
    return _meanings(rx or load()).get(plain) or frozenset({plain})


def keys_of(text: str, rx: Rx | None = None) -> set[Pair]:
    """The pairs that a name may mean, each in order; none for what is no pair.

    Two names are one where their pairs meet.
    """
    parts = words(text).split()
    if not 2 <= len(parts) <= _LONGEST:
        return set()
    rx = rx or load()
    found: set[Pair] = set()
    for i in range(1, len(parts)):
        for left in meanings(" ".join(parts[:i]), rx):
            for right in meanings(" ".join(parts[i:]), rx):
                found.add((left, right) if left <= right else (right, left))
    return found


def same(one: str, names: Iterable[str], rx: Rx | None = None) -> bool:
    """Whether ``one`` means what one of ``names`` means."""
    keys = keys_of(one, rx)
    return any(keys & keys_of(name, rx) for name in names)


def apart(lists: list[list[str]], rx: Rx | None = None) -> list[list[str]]:
    """The names of several findings of one component without those that would name two of them
    (a class of which two members are there). The first name of each stays."""
    keys = [[keys_of(name, rx) for name in names] for names in lists]
    found = []
    for i, names in enumerate(lists):
        others = set().union(*(k for j, own in enumerate(keys) if j != i for k in own))
        kept = [n for n, own in zip(names, keys[i], strict=True) if not own & others]
        found.append(list(dict.fromkeys([*names[:1], *kept])))
    return found


def interaction_names(rx: Rx, other: str, drug: str, rule: Interaction | None = None) -> list[str]:
    """A pair of drugs; of a rule on a class also the class in place of its member."""
    names = names_of([other], drug)
    if rule is not None:
        for a, b in ((rule.a, rule.b), (rule.b, rule.a)):
            if a in rx.kin(other) and b in rx.kin(drug):
                names += [*names_of([a], drug), *names_of([other], b), *names_of([a], b)]
    return list(dict.fromkeys(names))


def allergy_names(rx: Rx, allergen: str, drug: str) -> list[str]:
    """``allergen``: id of an allergy class or drug; also the classes that hold it."""
    others = [] if allergen not in rx.drugs else [allergen]
    kin = rx.kin(allergen) if allergen in rx.drugs else frozenset()
    for one in rx.allergies:
        if one.id == allergen or kin & set(one.members):
            others += [*one.names, one.title]
    if not others:  # a class of drugs
        kind = rx.classes.get(allergen)
        others = [allergen] if kind is None else [kind.title, *kind.names]
    return names_of(others, drug)


def _called(rx: Rx, code: str, wanted: Iterable[str]) -> list[str]:
    """What the knowledge calls a code, the names that also meet the codes of a rule."""
    wanted = tuple(wanted)
    return [
        one.name
        for one in rx.conditions
        if any(code.startswith(own) for own in one.codes)
        and any(own.startswith(w) or w.startswith(own) for own in one.codes for w in wanted)
    ]


def condition_names(
    rx: Rx, rule: Contraindication, code: str, drug: str, told: str = ""
) -> list[str]:
    """A condition of the patient, by its ICD-10-CM ``code``, that ``rule`` speaks of. ``told`` is
    what the record calls it."""
    called = _called(rx, code, rule.codes)
    if "kidney disease" in called:
        called.append(_RENAL)
    return names_of([*called, told, rule.name, code], drug)


def without_names(rule: Contraindication, drug: str) -> list[str]:
    """A drug for those only who already take one of a class."""
    return names_of([f"{rule.without} naive", f"no {rule.without}", rule.name], drug)


def measure_names(measure: Measure, value: Decimal, drug: str, rule: str = "") -> list[str]:
    """A measured ``value`` that speaks against a drug: the measure, or what it shows."""
    aliases, low, high = _MEASURES.get(measure.name, ((), (), ()))
    above = measure.range.high is None
    others = [measure.name, *aliases, *(high if above else low)]
    if "kidney disease" in others:
        others.append(_RENAL)
    if measure.name in ("eGFR", "CrCl") and not above and value < _SEVERE:
        others.append("severe kidney disease")
    return names_of([*others, rule], drug)


def age_names(months: int, drug: str, rule: str = "") -> list[str]:
    """An age, in completed months, that speaks against a drug."""
    life = ["pediatric"] if months < _ADULT else ["geriatric", "elderly"] if months >= _OLD else []
    return names_of(["age", *life, rule], drug)


def pregnancy_names(drug: str) -> list[str]:
    """A pregnancy that speaks against a drug."""
    return names_of(["pregnancy"], drug)
