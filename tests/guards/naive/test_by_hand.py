"""The naive checker itself, on claims made by hand whose answers follow from the sources."""

from __future__ import annotations

from casegen.schemas import Case, ClaimLine, Encounter, Fact, Patient, Question, Span, TablesRef

from . import judge
from .dates import age_meant, sex_meant, status
from .excludes import conflict
from .tabular import could_be_completed
from .wording import resolved


def problem(name: str, term: str, status: str = "active", **attributes: str) -> Fact:
    return Fact(name, "problem", term, status, attributes, [], [Span(0, 1, "x")])


def service(name: str, label: str) -> Fact:
    return Fact(name, "service", label, "active", {}, [], [Span(0, 1, "x")])


def relation(name: str, term: str, *about: str) -> Fact:
    return Fact(name, "relation", term, "active", {}, list(about), [Span(0, 1, "x")])


def case(
    codes: list[str],
    facts: list[Fact],
    *,
    sex: str = "female",
    birth: str = "1970-01-01",
    setting: str = "office",
    claim_type: str = "professional",
    questions: list[Question] | None = None,
) -> Case:
    """Codes as ``E11.9``, services as ``CPT:99213-25``."""
    lines = []
    for n, text in enumerate(codes, 1):
        system, _, code = text.rpartition(":")
        code, *modifiers = code.split("-")
        lines.append(ClaimLine(n, code, system or "ICD-10-CM", "d", modifiers, 1))
    age = 2026 - int(birth[:4])
    said = [
        Fact("s", "sex", sex, "active", {}, [], [Span(0, 1, "x")]),
        Fact("a", "age", str(age), "active", {}, [], [Span(0, 1, "x")]),
    ]
    admitted = "2026-06-01" if setting == "inpatient" else None
    return Case(
        id="by-hand",
        family="audit",
        version="v0",
        split="train",
        seed=0,
        index=0,
        options={},
        tables=TablesRef("icd10cm-2026-04", "0"),
        difficulty="easy",
        max_steps=10,
        patient=Patient("A B", "1", birth, sex, "Medicare"),
        encounter=Encounter(setting, claim_type, "2026-06-05", admitted, "visit"),
        note_style="soap",
        note="x",
        claim=lines,
        record=said + facts,
        questions=questions or [],
        findings=[],
        decoys=[],
        conditions=[],
        structural_key="k",
        redraws=[],
    )


COPD = problem("p1", "Chronic obstructive pulmonary disease with (acute) exacerbation")
TYPE2 = problem("p1", "Type 2 diabetes mellitus without complications")
PRESSURE = problem("p2", "Essential (primary) hypertension")
KIDNEY = problem("p3", "Chronic kidney disease, stage 3a")
KNEE = "Unilateral primary osteoarthritis of knee"


def test_existence_goes_by_the_date() -> None:
    known = {
        "M545": "retired",
        "N183": "retired",
        "Z99999": "unknown",
        "E0601": "unknown",
        "E11": "incomplete",
        "W2189A": "incomplete",
        "W19A": "incomplete",
        "S72001": "incomplete",
        "H4040X2": "valid",
        "R402112": "valid",
        "U071": "valid",
        "C7A00": "valid",
        "E11A": "valid",
    }
    assert {code: status(code, "2026-06-05") for code in known} == known
    assert status("M545", "2021-09-30") == "valid"
    assert not could_be_completed("S061X7D")


def test_wording_and_attributes_lead_to_one_code() -> None:
    fracture = "Colles' fracture"
    assert resolved(KNEE, {"side": "left"}) == ("M1712",)
    assert resolved(KNEE, {}) == ("M1710",)
    assert resolved(fracture, {"side": "right", "phase": "active"}) == ("S52531A",)
    healing = {"side": "left", "phase": "healing", "healing": "nonunion", "fracture": "open_3"}
    assert resolved(fracture, healing) == ("S52532N",)
    assert len(resolved(fracture, {"side": "right"})) > 1
    assert resolved("No such wording", {}) == ()


def test_excludes1_is_inherited_and_holds_both_ways() -> None:
    assert conflict("I209", "I25110")
    assert conflict("N390", "N3000")
    assert conflict("E119", "E109")
    assert conflict("E119", "E11A")
    assert conflict("V00328S", "Y030XXA")
    assert not conflict("J441", "J4520")
    # Open fractures only: "open skull fracture (S02.- with 7th character B)".
    assert conflict("S0100XA", "S020XXB")
    assert not conflict("S0100XA", "S020XXA")


def test_sex_and_age_by_meaning() -> None:
    assert sex_meant("O80") == "female"
    assert sex_meant("N401") == "male"
    assert sex_meant("J449") is None
    assert age_meant("Z00129") == (0, 17)


def test_a_clean_claim_is_clean() -> None:
    facts = [problem("p1", KNEE, side="right"), PRESSURE]
    assert judge(case(["M17.11", "I10"], facts)) == set()


def test_copd_with_asthma_is_no_conflict() -> None:
    facts = [COPD, problem("p2", "Mild intermittent asthma, uncomplicated")]
    assert judge(case(["J44.1", "J45.20"], facts)) == set()


def test_the_unsupported_type_of_diabetes_goes() -> None:
    found = judge(case(["E10.9", "E11.9"], [TYPE2]))
    assert found == {("excludes1_conflict", 1, "E10.9", "E11.9", "remove", None)}


def test_assumed_links_change_what_is_awaited() -> None:
    facts = [TYPE2, PRESSURE, KIDNEY]
    assert judge(case(["E11.22", "I12.9", "N18.31"], facts)) == set()
    apart = [relation("r1", "unrelated", "p2", "p3"), relation("r2", "unrelated", "p1", "p3")]
    assert judge(case(["E11.9", "I10", "N18.31"], [*facts, *apart])) == set()
    heart = problem("p4", "Heart failure, unspecified")
    assert judge(case(["E11.22", "I13.0", "I50.9", "N18.31"], [*facts, heart])) == set()


def test_the_wrong_side_is_replaced() -> None:
    found = judge(case(["M17.12"], [problem("p1", KNEE, side="right")]))
    assert found == {("specificity_error", 1, "M17.12", None, "replace", "M17.11")}


def test_an_answer_settles_the_side() -> None:
    ask = Question("side", ["side"], "The right.", "p1", "side", "right")
    found = judge(case(["M17.12"], [problem("p1", KNEE)], questions=[ask]))
    assert found == {("specificity_error", 1, "M17.12", None, "replace", "M17.11")}


def test_an_incomplete_code_is_a_matter_of_specificity_and_a_retired_one_is_not() -> None:
    back = problem("p1", "Low back pain, unspecified")
    other = problem("p1", "Other low back pain")
    found = judge(case(["M54.5"], [back]))
    assert found == {("untraceable_code", 1, "M54.5", None, "replace", "M54.50")}
    found = judge(case(["M17.1"], [problem("p1", KNEE, side="right")]))
    assert found == {("specificity_error", 1, "M17.1", None, "replace", "M17.11")}
    assert judge(case(["M54.59"], [other])) == set()


def test_a_code_of_another_system_is_untraceable() -> None:
    apnea = problem("p1", "Obstructive sleep apnea (adult) (pediatric)")
    found = judge(case(["E0601"], [apnea]))
    assert found == {("untraceable_code", 1, "E0601", None, "replace", "G47.33")}


def test_a_man_never_has_a_delivery() -> None:
    found = judge(case(["O80", "I10"], [PRESSURE], sex="male"))
    assert found == {("demographic_mismatch", 1, "O80", None, "remove", None)}


def test_age_groups_bind_inpatient_facility_claims() -> None:
    prostate = problem("p1", "Benign prostatic hyperplasia with lower urinary tract symptoms")
    child = {"sex": "male", "birth": "2021-01-01"}
    stay = judge(case(["N40.1"], [prostate], setting="inpatient", claim_type="facility", **child))
    assert stay == {("demographic_mismatch", 1, "N40.1", None, "remove", None)}
    assert judge(case(["N40.1"], [prostate], **child)) == set()


def test_code_pairs_bind_professional_claims() -> None:
    echo = ["CPT:93306", "CPT:93307"]
    assert judge(case(echo, [])) == {("ncci_edit", 2, "93307", "93306", "remove", None)}
    assert judge(case(echo, [], setting="inpatient", claim_type="facility")) == set()


def test_a_modifier_counts_only_where_the_record_justifies_it() -> None:
    joint = service("f1", "Large joint puncture or injection, no ultrasound")
    visit = service("f2", "Established patient office visit, low complexity")
    apart = relation("r1", "separate_problem", "f1", "f2")
    with25 = ["CPT:20610", "CPT:99213-25"]
    without = ["CPT:20610", "CPT:99213"]
    removed = {("ncci_edit", 2, "99213", "20610", "remove", None)}
    assert judge(case(with25, [joint, visit, apart])) == set()
    assert judge(case(with25, [joint, visit])) == removed
    assert judge(case(without, [joint, visit])) == removed
    added = {("ncci_edit", 2, "99213", "20610", "add_modifier", "25")}
    assert judge(case(without, [joint, visit, apart])) == added
