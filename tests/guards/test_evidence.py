"""Findings rest on the record, corrections mend what they name, decoys would be errors if one
fact were otherwise."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import casegen
import casegen.cli
from casegen.accident import AccidentError
from casegen.certify import certify, finding_key, view_of
from casegen.checker import Report, check
from casegen.knowledge import reference
from casegen.schemas import Case, CertificationError, ClaimLine, Decoy, Fact, Finding
from casegen.schemas.serial import case_line

FULL = os.environ.get("CASEGEN_FULL") == "1"
CASES = 3_000 if FULL else 500
OTHER_SIDE = {"right": "left", "left": "right"}
OTHER_PHASE = {"active": "healing", "healing": "active"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(casegen.make("audit-v0", seed=41).cases(0, CASES))


def judged(case: Case) -> Report:
    return check(view_of(case), *reference())


def with_record(case: Case, change: Callable[[Fact], Fact]) -> Case:
    return replace(case, record=[change(fact) for fact in case.record])


# -- evidence ------------------------------------------------------------------------------


def without_evidence(case: Case, finding: Finding) -> Case:
    """The case without the spans of a finding's evidence in its record."""
    gone = {(span.start, span.end) for span in finding.evidence}
    return with_record(
        case,
        lambda fact: replace(fact, spans=[s for s in fact.spans if (s.start, s.end) not in gone]),
    )


def test_every_finding_has_evidence(cases: list[Case]) -> None:
    assert [case.id for case in cases for f in case.findings if not f.evidence] == []


def test_without_its_evidence_a_finding_is_not_certified(cases: list[Case]) -> None:
    certified = []
    for case in cases:
        for finding in case.findings:
            try:
                certify(without_evidence(case, finding), *reference())
            except (CertificationError, AccidentError):
                continue
            certified.append((case.id, finding.error_type, finding.kind))
    assert certified == []


def test_without_any_one_span_of_its_evidence_a_finding_is_not_certified(
    cases: list[Case],
) -> None:
    certified = []
    for case in cases[: CASES // 2]:
        for finding in case.findings:
            for span in finding.evidence:
                less = without_evidence(case, replace(finding, evidence=[span]))
                try:
                    certify(less, *reference())
                except (CertificationError, AccidentError):
                    continue
                certified.append((case.id, finding.error_type, finding.kind, span.text))
    assert certified == []


def test_validate_refuses_a_case_without_evidence(
    cases: list[Case],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One case of each kind of error, with a fresh content hash, so that only truth is amiss."""
    monkeypatch.setattr(casegen.cli, "_heed_signals", lambda: None)

    def validate(*bodies: bytes) -> tuple[object, str]:
        file = tmp_path / "cases.jsonl"
        file.write_bytes(b"".join(bodies))
        with pytest.raises(SystemExit) as end:
            casegen.cli.main(["validate", str(file)])
        return end.value.code, capsys.readouterr().err

    kinds = {(f.error_type, f.kind): (case, f) for case in cases for f in case.findings}
    assert len(kinds) >= 15
    whole = {case.id: case_line(case) for case, _ in kinds.values()}
    status, told = validate(*whole.values())
    assert status == 0, told
    for case, finding in kinds.values():
        status, told = validate(case_line(without_evidence(case, finding)))
        assert status == 2, (case.id, finding.kind)
        assert "line 1" in told
        assert "not certified" in told or "must state the" in told


# -- corrections ---------------------------------------------------------------------------


def mended(case: Case, *findings: Finding) -> Case:
    """The case with the corrections of these findings applied to its claim."""
    claim: list[ClaimLine] = []
    for line in case.claim:
        new: ClaimLine | None = line
        for finding in findings:
            correction = finding.correction
            if correction.line != line.line or new is None:
                continue
            if correction.action == "remove":
                new = None
            elif correction.action == "replace":
                new = replace(new, code=correction.replacement)
            else:
                new = replace(new, modifiers=[*new.modifiers, correction.replacement])
        if new is not None:
            claim.append(new)
    return replace(case, claim=claim)


def test_a_correction_removes_exactly_its_finding(cases: list[Case]) -> None:
    for case in cases:
        keys = {finding_key(finding) for finding in case.findings}
        for finding in case.findings:
            report = judged(mended(case, finding))
            left = {finding_key(verdict) for verdict in report.verdicts}
            assert left == keys - {finding_key(finding)}, (case.id, finding.code)
            assert report.reviews == [], (case.id, finding.code)


def test_a_claim_with_all_corrections_is_clean(cases: list[Case]) -> None:
    for case in cases:
        report = judged(mended(case, *case.findings))
        assert (report.verdicts, report.reviews) == ([], []), case.id


def test_a_case_without_findings_has_a_clean_claim() -> None:
    for case in casegen.make("audit-v0", seed=42, clean=1.0).cases(0, CASES // 4):
        report = judged(case)
        assert (case.findings, report.verdicts, report.reviews) == ([], [], []), case.id


# -- decoys --------------------------------------------------------------------------------


def _facts(case: Case, decoy: Decoy, kind: str) -> list[Fact]:
    """Facts of a kind, all of whose spans are evidence of a decoy."""
    shown = {(span.start, span.end) for span in decoy.evidence}
    return [
        fact
        for fact in case.record
        if fact.kind == kind and fact.spans and {(s.start, s.end) for s in fact.spans} <= shown
    ]


def _turn_attribute(case: Case, decoy: Decoy, name: str, to: dict[str, str]) -> Case | None:
    """Another side or phase in the record; a fracture that heals heals as expected."""
    for fact in _facts(case, decoy, "problem"):
        other = to.get(fact.attributes.get(name, ""))
        if other is not None:
            attributes = {**fact.attributes, name: other}
            if other == "healing" and "fracture" in attributes:
                attributes["healing"] = "routine"
            turned = replace(fact, attributes=attributes)
            return replace(case, record=[turned if f.id == fact.id else f for f in case.record])
    return None


def _turn_answer(case: Case, decoy: Decoy) -> Case | None:
    other = {**OTHER_SIDE, **OTHER_PHASE, "bilateral": "right"}
    questions = [
        replace(q, value=other[q.value]) if q.topic in decoy.questions else q
        for q in case.questions
    ]
    return replace(case, questions=questions)


def _one_service(case: Case, decoy: Decoy) -> Case | None:
    """The relation says that the services were one."""
    ids = {fact.id for fact in _facts(case, decoy, "relation")}
    return with_record(case, lambda f: replace(f, term="same") if f.id in ids else f)


def _before_deletion(case: Case, decoy: Decoy) -> Case | None:
    """The services alone, on a day on which the pair was active."""
    _, services = reference()
    pairs = services.pair_any(decoy.code, decoy.related_code or "")
    ends = [edit.deleted for edit in pairs if edit.deleted and edit.indicator != 9]
    lines = [line for line in case.claim if line.code in (decoy.code, decoy.related_code)]
    if not ends or any(line.modifiers for line in lines):
        return None
    day = max(ends)
    return replace(case, claim=lines, encounter=replace(case.encounter, service_date=day))


def _same_condition(case: Case, decoy: Decoy) -> Case | None:
    """No fact says any longer that the two are unrelated."""
    ids = {fact.id for fact in _facts(case, decoy, "relation")}
    return with_record(case, lambda f: replace(f, term="same") if f.id in ids else f)


def _against_the_guideline(case: Case, decoy: Decoy) -> Case:
    """What is uncertain is ruled out or certain, what is over goes on, hands and weeks change,
    and nobody says how the facts hang together."""
    held = {fact.id for fact in _facts(case, decoy, "problem")}
    tied = {fact.id for fact in _facts(case, decoy, "relation")}
    stay = case.encounter.claim_type == "facility"

    def turned(fact: Fact) -> Fact:
        if fact.id in tied and fact.term != "integral":
            return replace(fact, status="ruled_out")
        if fact.id not in held:
            return fact
        attributes = dict(fact.attributes)
        if "handedness" in attributes:
            swap = {
                "right": "left",
                "left": "right",
                "ambidextrous": OTHER_SIDE[attributes["side"]],
            }
            attributes["handedness"] = swap[attributes["handedness"]]
        elif fact.term.startswith("Hemiplegia"):
            attributes["handedness"] = {"right": "left", "left": "left"}[attributes["side"]]
        if "weeks_ago" in attributes:
            attributes["weeks_ago"] = "9" if int(attributes["weeks_ago"]) <= 4 else "1"
        status = fact.status
        if status == "uncertain":
            status = "ruled_out" if stay and decoy.code[0] != "R" else "active"
        elif status == "history" and "weeks_ago" not in attributes:
            status = "active"
        return replace(fact, attributes=attributes, status=status)

    return with_record(case, turned)


TURNS: dict[str, Callable[[Case, Decoy], Case | None]] = {
    "active_treatment": lambda c, d: _turn_attribute(c, d, "phase", OTHER_PHASE),
    "odd_but_valid": lambda c, d: (
        _turn_attribute(c, d, "side", OTHER_SIDE) or _turn_attribute(c, d, "phase", OTHER_PHASE)
    ),
    "physician_laterality": _turn_answer,
    "physician_phase": _turn_answer,
    "justified_modifier": _one_service,
    "deleted_pair": _before_deletion,
    "unrelated": _same_condition,
    "by_guideline": _against_the_guideline,
}

# Of an unrelated pair the chart must say which is right; a wording that names its side, and is
# recorded with the other one, supports no code. Codes by guideline are of other categories.
OPEN_POINTS = {
    "unrelated": "excludes1",
    "odd_but_valid": "unsupported",
    "by_guideline": "unsupported",
}


def test_a_decoy_whose_fact_is_turned_becomes_an_error(cases: list[Case]) -> None:
    turned: Counter[str] = Counter()
    for case in cases:
        for decoy in case.decoys:
            turn = TURNS.get(decoy.kind)
            other = turn(case, decoy) if turn else None
            if other is None:
                continue
            turned[decoy.kind] += 1
            report = judged(other)
            codes = {decoy.code, decoy.related_code}
            told = {v.code for v in report.verdicts}
            if decoy.kind in OPEN_POINTS:
                told |= {r.code for r in report.reviews if r.kind == OPEN_POINTS[decoy.kind]}
            assert told & codes, (case.id, decoy.kind, decoy.code, decoy.related_code)
    assert set(turned) == set(TURNS), turned
