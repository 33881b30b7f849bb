"""What the official guidelines make of facts that are not plainly active, or that hang together."""

from __future__ import annotations

from casegen.schemas import Case, Fact

from .dates import status
from .tabular import complete_codes, entries
from .wording import phase_of, resolved, side_of

# Section I.C.2.m and I.C.21.c.4: stems of the histories, by category.
GONE = {"C50": "Z853", "C61": "Z8546", "C18": "Z85038", "I63": "Z8673"}
# Sections I.C.1.a.1, I.C.1.f.1, I.C.1.g.1.a.
CONFIRMED = ("B20", "A925", "U071")
# Section I.C.13.d.2: first characters of a fracture, sixth character place in M80.0.
BONES = (("S422", "M802"), ("S52", "M803"), ("S72", "M805"))


def sure(case: Case, fact: Fact) -> str | None:
    """The stem of a history or of a diagnosis in doubt, None where nothing is coded."""
    codes = resolved(fact.term, fact.attributes)
    if len(codes) != 1:
        return None
    code = codes[0]
    if fact.status == "history":
        if code[:3] == "I21":
            return code if int(fact.attributes["weeks_ago"]) < 5 else "I252"
        return GONE.get(code[:3])
    encounter = case.encounter
    if (encounter.setting, encounter.claim_type) != ("inpatient", "facility"):
        return None
    if code in CONFIRMED:
        return None
    # Section I.C.10.c.
    return "J11" + code[3:] if code[:3] in ("J09", "J10") else code


def one_of(case: Case, fact: Fact, codes: tuple[str, ...]) -> str | None:
    """Of several codes for one wording the one of the trimester or of the leading hand."""
    if all(code[0] == "O" for code in codes):
        weeks = [
            int(f.term.split()[0])
            for f in case.record
            if f.spans and f.term.endswith("weeks gestation of pregnancy")
        ]
        if len(weeks) != 1:
            return None
        name = "first" if weeks[0] <= 13 else "second" if weeks[0] <= 27 else "third"
        fitting = [c for c in codes if f"{name} trimester" in entries()[c].title]
        return fitting[0] if len(fitting) == 1 else None
    if codes == ("I69351", "I69353") or codes == ("I69352", "I69354"):
        right = fact.attributes["side"] == "right"
        hand = fact.attributes.get("handedness", "right")
        leads = hand == "ambidextrous" or right == (hand == "right")
        return {(True, True): "I69351", (False, True): "I69352", (True, False): "I69353"}.get(
            (right, leads), "I69354"
        )
    return None


Found = dict[str, set[str]]


def _bearer(found: Found, fact: str) -> str | None:
    return next((code for code, facts in found.items() if fact in facts), None)


def together(found: Found, relations: list[Fact]) -> None:
    """Changes what is awaited where a relation binds two facts."""
    for relation in relations:
        if relation.term == "minor_trauma":
            _fragile(found, *relation.about)
    for relation in relations:
        if relation.term == "due_to":
            _severe(found, *relation.about)
    for relation in relations:
        if relation.term == "integral" and _bearer(found, relation.about[0]):
            for symptom in relation.about[1:]:
                code = _bearer(found, symptom)
                if code is not None and code[0] == "R" and found[code] == {symptom}:
                    del found[code]


def _fragile(found: Found, fracture: str, osteoporosis: str) -> None:
    broken, thin = _bearer(found, fracture), _bearer(found, osteoporosis)
    if broken is None or thin != "M810":
        return
    head = next((new for old, new in BONES if broken.startswith(old)), None)
    if head is None:
        return
    code = complete_codes()[broken]
    stem = f"M800{head[-1]}{1 if side_of(code) == 'right' else 2}"
    last = {"initial encounter": "A"}.get((code.seventh or "").partition(" for")[0], "D")
    assert phase_of(code.seventh) in ("active", "healing")
    assert status(stem + last, "2026-06-01") == "valid"
    found[stem + last] = found.pop(broken) | found.pop(thin)


def _severe(found: Found, organ: str, infection: str) -> None:
    failed, sepsis = _bearer(found, organ), _bearer(found, infection)
    if failed and sepsis and sepsis[:3] in ("A40", "A41") and "R6521" not in found:
        found["R6520"] = {organ, infection}
