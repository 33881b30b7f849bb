"""Faults planted in coding cases as they stand: each takes a certified case and makes one thing
wrong, or says that the case has nothing of the kind."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from casegen.schemas import AllowedCode, CodingCase, Fact, GoldCode, Review, Span, WrongCode
from casegen.schemas.coding_case import WrongKind

Plant = Callable[[CodingCase], bool]


@dataclass(frozen=True)
class CodingFault:
    """A fault; ``plant`` changes the case and returns whether it could."""

    name: str
    plant: Plant


def spoiled(fault: CodingFault, case: CodingCase) -> CodingCase | None:
    """A copy of the case with the fault, None where the case does not allow it."""
    copy = deepcopy(case)
    return copy if fault.plant(copy) else None


def _allow(case: CodingCase, code: str, title: str = "?") -> None:
    """Let the set hold a code, at its place."""
    if code not in [one.code for one in case.allowed]:
        case.allowed.append(AllowedCode(code, title))
        case.allowed.sort(key=lambda one: one.code)


def _of_kind(case: CodingCase, *kinds: str) -> WrongCode | None:
    return next((one for one in case.wrong if one.kind in kinds), None)


def _swap(one: GoldCode, wrong: WrongCode) -> None:
    one.code, wrong.code = wrong.code, one.code


def primary_is_wrong(case: CodingCase) -> bool:
    wrong = next((one for one in case.wrong if one.gold == case.primary.code), None)
    if wrong is None:
        return False
    wrong.gold = None
    _swap(case.primary, wrong)
    return True


def secondary_is_wrong(case: CodingCase) -> bool:
    for one in case.secondary:
        wrong = next((w for w in case.wrong if w.gold == one.code), None)
        if wrong is not None:
            wrong.gold = None
            _swap(one, wrong)
            return True
    return False


def other_order(case: CodingCase) -> bool:
    if not case.secondary:
        return False
    case.primary, case.secondary[0] = case.secondary[0], case.primary
    return True


def secondary_missing(case: CodingCase) -> bool:
    if not case.secondary:
        return False
    gone = case.secondary.pop()
    case.allowed = [one for one in case.allowed if one.code not in (gone.code, *gone.alternates)]
    case.wrong = [one for one in case.wrong if one.gold != gone.code]
    return True


def secondary_called_wrong(case: CodingCase) -> bool:
    if not case.secondary:
        return False
    gone = case.secondary.pop()
    case.allowed = [one for one in case.allowed if one.code not in gone.alternates]
    case.wrong = [one for one in case.wrong if one.gold != gone.code]
    case.wrong.append(WrongCode(gone.code, "not_documented", None, "?", gone.authority, []))
    return True


def unsupported_secondary(case: CodingCase) -> bool:
    wrong = _of_kind(case, "not_documented", "wrong_type")
    if wrong is None or not case.secondary:
        return False
    case.wrong.remove(wrong)
    case.secondary.append(
        GoldCode(wrong.code, "?", case.secondary[0].authority, case.primary.evidence, [], [])
    )
    return True


def secondary_twice(case: CodingCase) -> bool:
    if not case.secondary:
        return False
    case.secondary.append(deepcopy(case.secondary[0]))
    return True


def review_forgotten(case: CodingCase) -> bool:
    if case.review is None:
        return False
    case.review, case.needs_review = None, False
    return True


def review_made_up(case: CodingCase) -> bool:
    if case.review is not None:
        return False
    case.needs_review = True
    case.review = Review("open_workup", "?", case.primary.authority, case.primary.evidence)
    return True


def review_of_another_kind(case: CodingCase) -> bool:
    if case.review is None:
        return False
    kind = case.review.kind
    case.review.kind = "open_side" if kind != "open_side" else "open_workup"
    return True


def review_elsewhere(case: CodingCase) -> bool:
    if case.review is None or case.review.evidence == case.primary.evidence:
        return False
    case.review.evidence = case.primary.evidence
    return True


def spans_exchanged(case: CodingCase) -> bool:
    if not case.secondary or case.primary.evidence == case.secondary[0].evidence:
        return False
    one, other = case.primary, case.secondary[0]
    one.evidence, other.evidence = other.evidence, one.evidence
    return True


def span_lost(case: CodingCase) -> bool:
    one = next((one for one in case.gold() if len(one.evidence) > 1), None)
    if one is None:
        return False
    one.evidence.pop()
    return True


def span_moved(case: CodingCase) -> bool:
    fact = next(fact for fact in case.record if fact.kind == "problem" and fact.spans)
    span = fact.spans[0]
    fact.spans[0] = Span(span.start + 1, span.end + 1, span.text)
    return True


def wrong_evidence_lost(case: CodingCase) -> bool:
    wrong = next((one for one in case.wrong if one.evidence), None)
    if wrong is None:
        return False
    wrong.evidence = []
    return True


def wrong_evidence_of_another(case: CodingCase) -> bool:
    wrong = next(
        (w for w in case.wrong if w.evidence and w.gold and w.gold != case.primary.code), None
    )
    if wrong is None:
        return False
    wrong.evidence = case.primary.evidence
    return True


def _renamed(case: CodingCase, kind: WrongKind, other: WrongKind) -> bool:
    wrong = _of_kind(case, kind)
    if wrong is None:
        return False
    wrong.kind = other
    return True


def side_called_phase(case: CodingCase) -> bool:
    return _renamed(case, "wrong_side", "wrong_phase")


def phase_called_side(case: CodingCase) -> bool:
    return _renamed(case, "wrong_phase", "wrong_side")


def ruled_out_called_history(case: CodingCase) -> bool:
    return _renamed(case, "ruled_out", "history")


def part_called_kin(case: CodingCase) -> bool:
    return _renamed(case, "part_of_combination", "wrong_type")


def uncertain_called_undocumented(case: CodingCase) -> bool:
    wrong = _of_kind(case, "uncertain")
    if wrong is None:
        return False
    wrong.kind, wrong.evidence = "not_documented", []
    return True


def near_another_code(case: CodingCase) -> bool:
    wrong = _of_kind(case, "wrong_side", "wrong_phase", "excludes1")
    if wrong is None:
        return False
    other = next((o for o in case.gold() if o.code[:3] != (wrong.gold or "")[:3]), None)
    if other is None:
        return False
    wrong.gold = other.code
    return True


def another_rule(case: CodingCase) -> bool:
    side, phase = _of_kind(case, "wrong_side"), _of_kind(case, "integral_symptom", "excludes1")
    if side is None or phase is None:
        return False
    side.authority, phase.authority = phase.authority, side.authority
    return True


def another_rule_of_the_answer(case: CodingCase) -> bool:
    if not case.secondary or case.secondary[0].authority == case.primary.authority:
        return False
    one, other = case.primary, case.secondary[0]
    one.authority, other.authority = other.authority, one.authority
    return True


def rule_of_another_year(case: CodingCase) -> bool:
    case.primary.authority.edition = "ICD-10-CM Guidelines FY 2019"
    return True


def alternate_called_wrong(case: CodingCase) -> bool:
    one = next((one for one in case.gold() if one.alternates), None)
    if one is None:
        return False
    code = one.alternates.pop()
    case.wrong.append(
        WrongCode(code, "wrong_type", one.code, "?", case.wrong[0].authority, one.evidence)
    )
    return True


def wrong_called_alternate(case: CodingCase) -> bool:
    wrong = _of_kind(case, "wrong_side", "wrong_phase", "wrong_stage")
    if wrong is None:
        return False
    case.wrong.remove(wrong)
    one = next(one for one in case.gold() if one.code == wrong.gold)
    one.alternates.append(wrong.code)
    return True


def wrong_called_equivalent(case: CodingCase) -> bool:
    wrong = _of_kind(case, "wrong_type", "wrong_side")
    if wrong is None:
        return False
    case.wrong.remove(wrong)
    next(one for one in case.gold() if one.code == wrong.gold).equivalents.append(wrong.code)
    return True


def _problem(case: CodingCase, fits: Callable[[Fact], bool]) -> Fact | None:
    return next((fact for fact in case.record if fact.kind == "problem" and fits(fact)), None)


def side_turned(case: CodingCase) -> bool:
    fact = _problem(case, lambda f: f.attributes.get("side") in ("left", "right"))
    if fact is None:
        return False
    side = fact.attributes["side"]
    fact.attributes = {**fact.attributes, "side": "left" if side == "right" else "right"}
    return True


def phase_turned(case: CodingCase) -> bool:
    fact = _problem(case, lambda f: f.attributes.get("phase") in ("active", "healing"))
    if fact is None:
        return False
    phase = fact.attributes["phase"]
    turned = {"phase": "healing" if phase == "active" else "active"}
    if "fracture" in fact.attributes:
        turned["healing"] = "routine"
    fact.attributes = {**fact.attributes, **turned}
    return True


def doubt_dropped(case: CodingCase) -> bool:
    fact = _problem(case, lambda f: f.status == "uncertain")
    if fact is None:
        return False
    fact.status = "active"
    return True


def ruled_out_after_all_present(case: CodingCase) -> bool:
    fact = _problem(case, lambda f: f.status == "ruled_out")
    if fact is None:
        return False
    fact.status = "active"
    return True


def fact_not_stated(case: CodingCase) -> bool:
    fact = _problem(case, lambda f: f.status == "active")
    if fact is None:
        return False
    fact.spans = []
    return True


def reason_not_stated(case: CodingCase) -> bool:
    case.record = [fact for fact in case.record if fact.term != "reason"]
    return True


def reason_about_another(case: CodingCase) -> bool:
    reason = next(fact for fact in case.record if fact.term == "reason")
    other = _problem(case, lambda f: f.status == "active" and f.id not in reason.about)
    if other is None:
        return False
    reason.about = [other.id]
    return True


def relation_lost(case: CodingCase) -> bool:
    terms = ("integral", "minor_trauma", "treatment_unclear", "open_workup", "open_side")
    found = next((fact for fact in case.record if fact.term in terms), None)
    if found is None or "uncertain" in case.kinds:
        return False
    case.record.remove(found)
    return True


def another_setting(case: CodingCase) -> bool:
    """Of a diagnosis in doubt the setting decides."""
    if "uncertain" in case.kinds:
        stay = case.encounter.setting == "inpatient"
        case.encounter.setting = "office" if stay else "inpatient"
        case.encounter.claim_type = "professional" if stay else "facility"
        return True
    return False


def title_of_another(case: CodingCase) -> bool:
    one, other = case.allowed[:2]
    one.title, other.title = other.title, one.title
    return True


def set_not_sorted(case: CodingCase) -> bool:
    case.allowed.reverse()
    return True


def code_missing_from_the_set(case: CodingCase) -> bool:
    case.allowed = [one for one in case.allowed if one.code != case.primary.code]
    return True


def code_without_a_word(case: CodingCase) -> bool:
    _allow(case, "L72.3", "Sebaceous cyst")
    return "L72.3" not in [one.code for one in (*case.gold(), *case.wrong)]


def hint_with_the_code(case: CodingCase) -> bool:
    case.hints[-1] += f" See {case.primary.code}."
    return True


CODING_FAULTS = tuple(
    CodingFault(plant.__name__.replace("_", " "), plant)
    for plant in (
        primary_is_wrong, secondary_is_wrong, other_order, secondary_missing,
        secondary_called_wrong, unsupported_secondary, secondary_twice, review_forgotten,
        review_made_up, review_of_another_kind, review_elsewhere, spans_exchanged, span_lost,
        span_moved, wrong_evidence_lost, wrong_evidence_of_another, side_called_phase,
        phase_called_side, ruled_out_called_history, uncertain_called_undocumented,
        part_called_kin, near_another_code, another_rule, another_rule_of_the_answer,
        rule_of_another_year, alternate_called_wrong, wrong_called_alternate,
        wrong_called_equivalent, side_turned, phase_turned, doubt_dropped,
        ruled_out_after_all_present, fact_not_stated, reason_not_stated, reason_about_another,
        relation_lost, another_setting, title_of_another, set_not_sorted,
        code_missing_from_the_set, code_without_a_word, hint_with_the_code,
    )
)  # fmt: skip
