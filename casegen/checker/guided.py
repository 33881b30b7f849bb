"""Guidelines that bind several facts of the record, or look at how sure the provider is.

Each function changes what the record calls for; ``settle`` runs them in the one order that
makes sense: what is coded at all, then which code, then what falls away beside another.
"""

from __future__ import annotations

from collections.abc import Mapping

from casegen.schemas import Fact

from .memo import Icd, Memo, wording_of
from .model import ClaimView
from .work import Record

# What is over and treated no more (guidelines I.C.2.m, I.C.9.d.3, I.C.21.c.4): category -> code.
_PAST = {
    "C18": "Z85.038",
    "C34": "Z85.118",
    "C50": "Z85.3",
    "C61": "Z85.46",
    "C64": "Z85.528",
    "G45": "Z86.73",
    "I63": "Z86.73",
}
# Guidelines I.C.1.a.1, I.C.1.f.1 and I.C.1.g.1.a: coded only when confirmed.
_MUST_BE_CONFIRMED = frozenset(("B20", "A92.5", "U07.1"))
# Guideline I.C.10.c: a virus that is only suspected counts as unidentified.
_VIRUSES = ("identified novel influenza A virus", "other identified influenza virus")
_UNKNOWN_VIRUS = "unidentified influenza virus"

_SEPSIS = ("A40", "A41", "A02.1", "A22.7", "A26.7", "A32.7", "A42.7", "A54.86", "B37.7", "O85")
# Acute failures of an organ that R65.2 lists (tabular list, use additional code).
_FAILURES = ("N17", "J96.0", "J96.2", "K72.0", "G93.4", "G72.81", "D65")

# Guideline I.C.13.d.2: the site in the titles under M80.0, by the category of the fracture.
_SITES = (
    ("S42", "humerus"),
    ("S52", "forearm"),
    ("S62", "hand"),
    ("S72", "femur"),
    ("S82", "lower leg"),
    ("S22.0", "vertebra(e)"),
    ("S32.0", "vertebra(e)"),
)
_FRAGILE = "Age-related osteoporosis with current pathological fracture"
_WEEKS_UNKNOWN = "Z3A.00"
_SEVERE = "R65.20"
_SHOCK = "R65.21"


def settle(record: Record, view: ClaimView, memo: Memo) -> int:
    """Apply the guidelines to what the record calls for; the link flags of what that adds."""
    flags = 0
    changed = False
    for fact in record.others:
        if fact.status != "ruled_out":
            flags |= _not_present(record, fact, view, memo)
            changed = True
    if record.unclear:
        changed |= _narrow(record, memo)
    for relation in record.relations:
        if relation.term in _RELATIONS and len(relation.about) > 1:
            _RELATIONS[relation.term](record, relation, memo)
            changed = True
    for relation in record.relations:
        if relation.term == "treatment_unclear":
            changed |= _undecided(record, relation)
        if relation.term == "integral" and len(relation.about) > 1:
            _symptoms(record, relation)
            changed = True
    if changed and view.record is not None:
        place = {fact.id: at for at, fact in enumerate(view.record)}
        pairs = sorted(record.expected.items(), key=lambda pair: place[pair[1][0].id])
        record.expected = dict(pairs)
    return flags


def _add(record: Record, code: str, facts: list[Fact]) -> None:
    record.expected[code] = record.expected.get(code, []) + facts


def _not_present(record: Record, fact: Fact, view: ClaimView, memo: Memo) -> int:
    """A fact that is over, or that is not certain."""
    named = memo.facts[wording_of(fact.term, fact.attributes)]
    if not isinstance(named, Icd):
        if named.codes:
            record.unclear.append((fact, named.codes))
        return 0
    code = named.code
    if fact.status == "history":
        past = _over(code, fact.attributes)
        if past is not None:
            _add(record, past, [fact])
        return 0
    hospital = view.setting == "inpatient" and view.claim_type == "facility"
    if not hospital or code in _MUST_BE_CONFIRMED:
        record.doubtful[code] = fact
        return 0
    term = fact.term
    for virus in _VIRUSES:
        term = term.replace(virus, _UNKNOWN_VIRUS)
    if term != fact.term:
        record.doubtful[code] = fact
        other = memo.only(term, fact.attributes)
        if other is None:
            return 0
        code = other.code
    _add(record, code, [fact])
    return named.flags


def _over(code: str, attributes: Mapping[str, str]) -> str | None:
    """The code of a past condition; an infarction counts as acute for four weeks and as old
    after them (guideline I.C.9.e.1)."""
    if code.startswith(("I21", "I22")):
        weeks = attributes.get("weeks_ago")
        if weeks is None or not (weeks.isascii() and weeks.isdigit()):
            return None
        return code if int(weeks) <= 4 else "I25.2"
    # Wording that says itself that it is history.
    return code if code.startswith("Z8") else _PAST.get(code[:3])


def _narrow(record: Record, memo: Memo) -> bool:
    """Of several codes that a wording names, the one of the trimester that the weeks of
    gestation tell (I.C.15.a.3), or of the hand that rules (I.C.6.a)."""
    tables = memo.tables
    weeks = [c for c in record.expected if c.startswith("Z3A.") and c != _WEEKS_UNKNOWN]
    left: list[tuple[Fact, tuple[str, ...]]] = []
    for fact, codes in record.unclear:
        support = [fact]
        titles = {code: tables.title(code) for code in codes}
        word = ""
        if codes[0].startswith("O") and len(weeks) == 1:
            word = _trimester(int(weeks[0][4:]))
            support += record.expected[weeks[0]]
        elif all("dominant side" in title for title in titles.values()):
            side = fact.attributes.get("side", "")
            word = f"{side} {_hand(side, fact.attributes.get('handedness'))} side"
        fitting = [code for code, title in titles.items() if word and word in title]
        if len(fitting) == 1:
            _add(record, fitting[0], support)
        else:
            left.append((fact, codes))
    found = len(left) < len(record.unclear)
    record.unclear[:] = left
    return found


def _trimester(weeks: int) -> str:
    if weeks >= 28:
        return "third trimester"
    return "second trimester" if weeks >= 14 else "first trimester"


def _hand(side: str, hand: str | None) -> str:
    if hand is None:
        return "dominant" if side == "right" else "non-dominant"
    return "dominant" if hand in ("ambidextrous", side) else "non-dominant"


def _code_of(record: Record, fact_id: str) -> str | None:
    """The code that a fact calls for by itself."""
    for code, facts in record.expected.items():
        if facts[0].id == fact_id:
            return code
    return None


def _broken_bone(record: Record, relation: Fact, memo: Memo) -> None:
    """A fracture from a slight fall in known osteoporosis is one of osteoporosis."""
    bone, thin = (_code_of(record, about) for about in relation.about[:2])
    if bone is None or thin != "M81.0":
        return
    site = next((site for start, site in _SITES if bone.startswith(start)), None)
    seventh = memo.tables.seventh(bone)
    if site is None or seventh is None or seventh.phase is None:
        return
    attributes = {"phase": seventh.phase}
    side = memo.tables.laterality(bone)
    if side in ("right", "left"):
        attributes["side"] = side
    if seventh.healing is not None:
        attributes["healing"] = seventh.healing
    only = memo.only(f"{_FRAGILE}, {site}", attributes)
    if only is not None:
        _add(record, only.code, record.expected.pop(bone) + record.expected.pop(thin))


def _failed_organ(record: Record, relation: Fact, memo: Memo) -> None:
    """An organ that failed because of sepsis makes the sepsis severe (I.C.1.d.1.b); shock has a
    code of its own that says so too (I.C.1.d.2)."""
    organ, cause = (_code_of(record, about) for about in relation.about[:2])
    if organ is None or cause is None or _SHOCK in record.expected or _SEVERE in record.expected:
        return
    if organ.startswith(_FAILURES) and cause.startswith(_SEPSIS):
        _add(record, _SEVERE, record.expected[cause][:1] + record.expected[organ][:1])


def _undecided(record: Record, relation: Fact) -> bool:
    """A tumor that was removed is coded as one or as history, by whether it is still treated
    (I.C.2.m); where the record does not say so, as neither. False where nothing changes."""
    found = False
    for fact_id in relation.about:
        code = _code_of(record, fact_id)
        if code is not None and code.startswith(("C", "D0")):
            record.doubtful[code] = record.expected.pop(code)[0]
            found = True
    return found


def _symptoms(record: Record, relation: Fact) -> None:
    """Symptoms that belong to a disease are not coded beside it (I.B.5). While the disease is
    not coded they are all that can be (I.B.4)."""
    disease = relation.about[0]
    if not any(fact.id == disease for facts in record.expected.values() for fact in facts):
        return
    for fact_id in relation.about[1:]:
        code = _code_of(record, fact_id)
        if code is not None and code.startswith("R") and len(record.expected[code]) == 1:
            del record.expected[code]


_RELATIONS = {"minor_trauma": _broken_bone, "due_to": _failed_organ}
