"""Reads the drug files, refuses what the models don't allow, and answers questions on drugs.

Form, names, units, pairs and authorities are judged here, and each code is looked up in the
ICD-10-CM tables. What was judged is kept in the user's cache, so that a later start neither
reads YAML nor needs the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from casegen.schemas import TableError

from ..data import parse
from ..filecache import remembered
from . import rules
from .knowledge import Rx
from .model import Drug
from .reading import Row

Known = Callable[[str], bool]
Files = Mapping[str, Any]  # relative name to the content of the file
_CLASSES, _ALLERGIES, _UNITS, _SYNONYMS = (
    "classes.yaml", "allergies.yaml", "units.yaml", "synonyms.yaml")  # fmt: skip


def _files(folder: Path) -> dict[str, bytes]:
    # What cases are drawn from stands in a folder of its own and tells nothing of drugs.
    paths = sorted(path for path in folder.rglob("*.yaml") if path.parent.name != "cases")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def read(folder: Path, known: Known | None = None) -> Rx:
    """All that the files of ``folder`` say. ``known`` tells whether ICD-10-CM has a code or
    category (default: the bundled tables).

    Raises TableError (file, row, field, reason) for what the models don't allow.
    """
    texts = _files(folder)
    return _build(
        {name: parse(text, f"rx/{name}") for name, text in texts.items()}, known or _in_tables()
    )


def _in_tables() -> Known:
    from ..icd10cm import load as tables

    return tables().exists


@lru_cache(maxsize=1)
def load() -> Rx:
    """The bundled knowledge, read once per process. Raises TableError as ``read`` does."""
    folder = Path(__file__).parent
    digest = sha256()
    texts = _files(folder)
    for path in sorted(folder.glob("*.py")):
        digest.update(sha256(path.read_bytes()).digest())
    for name, text in texts.items():
        digest.update(name.encode() + sha256(text).digest())

    def judged() -> dict[str, Any]:
        files = {name: parse(text, f"rx/{name}") for name, text in texts.items()}
        _build(files, _in_tables())
        return files

    return _build(remembered("rx", digest.hexdigest(), judged), lambda _: True)


def _build(files: Files, known: Known) -> Rx:
    for name in (_CLASSES, _ALLERGIES, _UNITS, _SYNONYMS):
        if name not in files:
            raise TableError(f"{name}: is missing")
    table = Row(_CLASSES, files[_CLASSES], ("classes", "substances"))
    classes = rules.classes(table)
    drugs: dict[str, Drug] = {}
    for name, content in sorted(files.items()):
        if name.startswith("drugs/"):
            for row in Row(name, content, ("shared", "drugs")).rows("drugs", rules.DRUG, 1):
                drug = rules.drug(row, name)
                if drug.id in drugs:
                    raise row.fail("id", f"{drug.id} also stands in {drugs[drug.id].file}")
                drugs[drug.id] = drug
    interactions = []
    for name, content in sorted(files.items()):
        if name.startswith("interactions/"):
            rows = Row(name, content, ("interactions",)).rows("interactions", rules.PAIR, 1)
            interactions += [(name, rules.interaction(row)) for row in rows]
    allergies = Row(_ALLERGIES, files[_ALLERGIES], ("classes", "cross", "intolerances"))
    units = Row(_UNITS, files[_UNITS], ("notations", "conversions"))
    synonyms = Row(_SYNONYMS, files[_SYNONYMS], ("drugs", "conditions"))
    rx = Rx(
        drugs=drugs,
        classes=classes,
        interactions=tuple(one for _, one in interactions),
        allergies=rules.allergy_classes(allergies),
        cross=rules.cross_reactions(allergies),
        intolerances=rules.intolerances(allergies),
        notations=rules.notations(units),
        conversions=rules.conversions(units),
        synonyms=rules.drug_synonyms(synonyms),
        conditions=rules.condition_names(synonyms),
    )
    _check_names(rx, [name for name, _ in interactions], set(table.texts("substances")))
    _check_pairs(rx, [name for name, _ in interactions])
    _check_codes(rx, known)
    _check_disputes(rx)
    return rx


def _check_names(rx: Rx, files: list[str], substances: set[str]) -> None:
    """Every drug and class that a rule names is there, and no name stands for two drugs."""
    either = rx.drugs.keys() | rx.classes.keys()
    if both := rx.drugs.keys() & rx.classes.keys():
        raise TableError(f"{_CLASSES}: {min(both)}: is a drug too")
    taken: dict[str, str] = {}
    for drug in rx.drugs.values():
        for field, names in (("class", drug.classes), ("duplicate", drug.duplicate)):
            for name in names:
                if name not in rx.classes:
                    raise TableError(f"{drug.file}: {drug.id}: {field}: unknown class {name!r}")
        for rule in drug.contraindications:
            if rule.without and rule.without not in rx.classes:
                raise TableError(f"{drug.file}: {drug.id}: without: unknown {rule.without!r}")
        for part in drug.ingredients:
            if part not in rx.drugs and part not in substances:
                raise TableError(f"{drug.file}: {drug.id}: ingredients: unknown drug {part!r}")
        for name in (drug.id, *drug.brands):
            if taken.setdefault(name.casefold(), drug.id) != drug.id:
                other = taken[name.casefold()]
                raise TableError(f"{drug.file}: {drug.id}: brands: {name} is {other} too")
    for file, one in zip(files, rx.interactions, strict=True):
        limited = [limit.drug for limit in one.limits]
        for name in (one.a, one.b, *one.excluding, *limited):
            if name not in either:
                raise TableError(f"{file}: {one.a} + {one.b}: unknown drug or class {name!r}")
    for allergy in rx.allergies:
        for name in allergy.members:
            if name not in either:
                raise TableError(f"{_ALLERGIES}: {allergy.id}: members: unknown {name!r}")
    allergens = either | {allergy.id for allergy in rx.allergies}
    for cross in rx.cross:
        for name, among in ((cross.allergen, allergens), (cross.drug, either)):
            if name not in among:
                raise TableError(f"{_ALLERGIES}: {cross.allergen} + {cross.drug}: unknown {name!r}")
    for tolerance in rx.intolerances:
        if tolerance.drug not in either:
            raise TableError(f"{_ALLERGIES}: intolerances: unknown {tolerance.drug!r}")
    for name, drug_id in rx.synonyms.items():
        if drug_id not in rx.drugs:
            raise TableError(f"{_SYNONYMS}: {name}: unknown drug {drug_id!r}")
        if taken.get(name.casefold(), drug_id) != drug_id:
            raise TableError(f"{_SYNONYMS}: {name}: is {taken[name.casefold()]} too")


def _check_pairs(rx: Rx, files: list[str]) -> None:
    """No pair stands twice, in any order, but for rules that disagree or hold in other cases."""
    seen: dict[tuple[str, ...], str] = {}
    for file, one in zip(files, rx.interactions, strict=True):
        key = (*sorted((one.a, one.b)), one.when, *(str(a) for a in one.authority if one.disputed))
        if key in seen:
            raise TableError(f"{file}: {one.a} + {one.b}: also stands in {seen[key]}")
        seen[key] = file
    crosses: set[tuple[str, ...]] = set()
    for cross in rx.cross:
        key = (cross.allergen, cross.drug, cross.reaction, cross.disputed and cross.grade)
        if key in crosses:
            raise TableError(f"{_ALLERGIES}: {cross.allergen} + {cross.drug}: stands there twice")
        crosses.add(key)


def _check_codes(rx: Rx, known: Known) -> None:
    for drug in rx.drugs.values():
        where = f"{drug.file}: {drug.id}"
        named = [("doses", code) for dose in drug.doses for code in dose.codes]
        named += [("contra", code) for rule in drug.contraindications for code in rule.codes]
        for field, code in named:
            if not known(code):
                raise TableError(f"{where}: {field}: {code} is not in ICD-10-CM")
    for name in rx.conditions:
        for code in name.codes:
            if not known(code):
                raise TableError(f"{_SYNONYMS}: {name.name}: {code} is not in ICD-10-CM")


def _check_disputes(rx: Rx) -> None:
    """A disputed rule has a partner on the same drug that rests on another authority."""
    voices: dict[tuple[str, ...], set[Any]] = {}
    for one in rx.interactions:
        if one.disputed:
            key = (f"{one.a} + {one.b}", one.disputed)
            voices.setdefault(key, set()).add(one.authority)
    for cross in rx.cross:
        if cross.disputed:
            key = (f"{_ALLERGIES}: {cross.allergen} + {cross.drug}", cross.disputed)
            voices.setdefault(key, set()).add(cross.authority)
    for drug in rx.drugs.values():
        rules_of: list[Any] = [*drug.doses, *drug.contraindications, *drug.pregnancy]
        for rule in rules_of + list(drug.pediatric):
            if rule.disputed:
                key = (f"{drug.file}: {drug.id}", rule.disputed)
                voices.setdefault(key, set()).add(rule.authority)
    for (where, name), authorities in voices.items():
        if len(authorities) < 2:
            raise TableError(f"{where}: disputed: {name}: no other authority speaks")
