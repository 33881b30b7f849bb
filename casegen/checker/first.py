"""Which section of the guidelines puts the first code of an answer in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .coding import Answer

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

# Sections by the term of the relation, what of it stands first (0 the effect, 1 the cause), and
# the beginning of the cause's code.
_ORDER = (
    ("found_by", 1, "Z1", ("I.C.21.c.5",)),
    ("due_to", 1, "A4", ("I.C.1.d.3",)),
    ("due_to", 1, "T", ("I.C.19.e.5.b",)),
    ("due_to", 0, "T", ("I.C.19.e.5.a", "I.C.19.e.5.c")),
    ("due_to", 0, "S", ("I.B.10",)),
)


def names_first(section: str, code: str, answer: Answer, setting: str, tables: Tables) -> bool:
    """Whether a section is the one that puts the code first: that on what the encounter was for,
    where the record names it so, else one on what goes before that."""
    meant = {fact_id for reason in answer.reasons for fact_id in reason.about}
    own = [fact.id for fact in answer.codes.get(code, ())]
    if meant & set(own):
        return section == _on_encounters(code, setting, tables)
    if code.startswith("O"):
        return section == "I.C.15.a.1"
    heads = {facts[0].id: name for name, facts in answer.codes.items()}
    for relation in answer.record.relations:
        pair = relation.about[:2]
        if own[:1] and own[0] in pair and relation.term in ("found_by", "due_to"):
            cause = heads.get(pair[-1], "")
            for term, at, start, sections in _ORDER:
                if (term, own[0]) == (relation.term, pair[at]) and cause.startswith(start):
                    return section in sections
        disease, *symptoms = relation.about
        if relation.term == "integral" and meant & set(symptoms) and disease in own:
            return section == ("II.A" if setting == "inpatient" else "IV.D")
    return section == _on_encounters(code, setting, tables)


def _on_encounters(code: str, setting: str, tables: Tables) -> str:
    if code[:3] in ("Z11", "Z12", "Z13"):
        return "I.C.21.c.5"
    if setting == "inpatient":
        return "II"
    if code[:3] in ("Z00", "Z01", "Z02"):
        found = "abnormal findings" in tables.title(code).partition("with ")[2]
        return "IV.P" if found and "without" not in tables.title(code) else "I.C.21.c.13"
    return "IV.N" if setting == "outpatient_surgery" else "IV.G"
