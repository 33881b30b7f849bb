"""What the record supports: expected codes in the order of the record, and who is tied to whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

from casegen.schemas import Case, Fact

from .guidelines import one_of, sure, together
from .services import labelled, pair
from .tabular import words
from .wording import resolved

END_STAGE = ("N185", "N186")


@dataclass
class Record:
    """Expected codes (stems) with the ids of the facts that they rest on."""

    facts: list[Fact]
    diagnoses: dict[str, set[str]] = field(default_factory=dict)
    services: dict[str, set[str]] = field(default_factory=dict)
    possible: set[str] = field(default_factory=set)

    def relations(self, *terms: str) -> list[Fact]:
        return [
            f
            for f in self.facts
            if f.kind == "relation" and f.status == "active" and f.term in terms
        ]

    def unrelated(self, a: set[str], b: set[str]) -> bool:
        return any(
            a & set(relation.about) and b & set(relation.about)
            for relation in self.relations("unrelated")
        )

    def services_of(self, relation: Fact) -> set[str]:
        """The codes of the services that a relation is about, by fact or by label."""
        labels = [f.term for f in self.facts if f.kind == "service" and f.id in relation.about]
        labels.append(relation.attributes.get("service", ""))
        codes = (labelled().get(words(label)) for label in labels)
        return {code for code in codes if code is not None}

    def tied(self, a: str, b: str, *terms: str) -> bool:
        """Whether one relation of these terms is about both services."""
        return any({a, b} <= self.services_of(relation) for relation in self.relations(*terms))

    def stated(self, kind: str) -> list[str]:
        return [f.term for f in self.facts if f.kind == kind and f.status == "active"]


def read_record(case: Case) -> Record:
    record = Record([fact for fact in case.record if fact.spans])
    answers: dict[str, dict[str, str]] = {}
    for question in case.questions:
        answers.setdefault(question.fact, {})[question.attribute] = question.value
    for fact in record.facts:
        if fact.kind == "service" and fact.status == "active":
            code = labelled().get(words(fact.term))
            if code:
                record.services.setdefault(code, set()).add(fact.id)
        if fact.kind == "problem" and fact.status == "active":
            codes = resolved(fact.term, {**fact.attributes, **answers.get(fact.id, {})})
            code = codes[0] if len(codes) == 1 else one_of(case, fact, codes)
            if code is not None:
                record.diagnoses.setdefault(code, set()).add(fact.id)
            else:
                record.possible.update(codes)
        if fact.kind == "problem" and fact.status in ("history", "uncertain"):
            code = sure(case, fact)
            if code is not None:
                record.diagnoses.setdefault(code, set()).add(fact.id)
    together(record.diagnoses, record.relations("minor_trauma", "due_to", "integral"))
    _in_order(record)
    _link(record)
    _fold(record, case.encounter.service_date)
    return record


def _in_order(record: Record) -> None:
    """In the order of the record again, by the first fact of each code."""
    place = {fact.id: n for n, fact in enumerate(record.facts)}
    pairs = sorted(record.diagnoses.items(), key=lambda pair: min(place[f] for f in pair[1]))
    record.diagnoses.clear()
    record.diagnoses.update(pairs)


def _link(record: Record) -> None:
    """Assumed links: guideline I.C.9.a (hypertension), I.A.15 and I.C.4.a (diabetes)."""

    def linked(a: str, beginning: str) -> list[str]:
        return [
            code
            for code, facts in record.diagnoses.items()
            if code.startswith(beginning) and not record.unrelated(record.diagnoses[a], facts)
        ]

    changes: dict[str, str] = {}
    if "I10" in record.diagnoses:
        heart, kidney = linked("I10", "I50"), linked("I10", "N18")
        late = any(code in END_STAGE for code in kidney)
        if heart and kidney:
            changes["I10"] = "I132" if late else "I130"
        elif heart:
            changes["I10"] = "I110"
        elif kidney:
            changes["I10"] = "I120" if late else "I129"
    # Diabetes without complication becomes diabetes with kidney disease; beside another
    # complication the kidney disease takes a code of its own.
    added: list[tuple[str, str]] = []
    for category in ("E10", "E11"):
        with_kidney = f"{category}22"
        for code in [c for c in record.diagnoses if c.startswith(category)]:
            if code[:4] == f"{category}2" or not linked(code, "N18"):
                continue
            if code == f"{category}9":
                changes[code] = with_kidney
            else:
                added.append((code, with_kidney))
    # In place: the order of the record decides between equal candidates.
    old = list(record.diagnoses.items())
    record.diagnoses.clear()
    for code, facts in old:
        record.diagnoses.setdefault(changes.get(code, code), set()).update(facts)
    for code, also in added:
        record.diagnoses.setdefault(also, set()).update(record.diagnoses[code])


def _fold(record: Record, on: str) -> None:
    """A service that the note tells as part of another isn't awaited on the claim."""
    for relation in record.relations("same", "decision_only"):
        for a, b in combinations(sorted(record.services_of(relation)), 2):
            edit = pair(a, b, on)
            if edit is not None:
                record.services.pop(edit.column2, None)
