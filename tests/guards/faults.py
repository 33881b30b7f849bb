"""The planted faults: each one wrong code, rule, edit or span.

``touches`` says whether the faulty piece had a part in a case, so that a fault that nothing
uses can't pass for a caught one.
"""

from __future__ import annotations

from dataclasses import replace

from casegen.injectors import (
    demographic_mismatch,
    excludes1_conflict,
    specificity_error,
    untraceable_code,
)
from casegen.schemas import authority as sources

from .planting import (
    Fault,
    added,
    coded,
    has,
    late_stage,
    lengthened,
    linked,
    many_units,
    option,
    services,
    table,
    told,
    value,
)
from .planting_findings import (
    age_bounds,
    age_for_sex,
    any_case,
    broken,
    cited,
    decoy,
    drop_modifier,
    exchange_spans,
    flip,
    found,
    justified,
    less_evidence,
    living_code,
    move_modifier,
    move_spans,
    one_type,
    only,
    other_note,
    other_service,
    plain_modifier,
    recorded,
    related_after_all,
    respanned,
    same_code,
    scenario,
    shifted,
    still_active,
    told_anyway,
    two_problems,
    wrong_answer,
)

CUT = "hand_laceration.hand_glass"
RIB = "rib_fracture.one"
WRIST = "distal_radius_fracture.nos_ladder"
FAULTS = (
    # condition data
    Fault(
        "code of a neighbour in the category", "condition data",
        value("copd.exacerbation_office", code="J44.0"), has("copd.exacerbation_office"),
    ),
    Fault(
        "code of another category", "condition data",
        value("gerd.listed", code="K31.9"), has("gerd.listed"),
    ),
    Fault(
        "code of the other side", "condition data",
        value("knee_osteoarthritis.one_side", codes={"right": "M17.12", "left": "M17.12"}),
        told("knee_osteoarthritis.one_side", "side=right"),
    ),
    Fault(
        "wording of another condition", "condition data",
        value("gerd.listed", term="Gout, unspecified"), has("gerd.listed"),
    ),
    Fault(
        "less specific code of another category", "condition data",
        value("obesity.class_1", less_specific="E65"),
        lambda case: any(line.code == "E65" for line in case.claim), only("specificity_error"),
    ),
    Fault(
        "wrong stage among the attributes", "condition data",
        value("glaucoma_poag.moderate_one", attributes={"seventh": "severe stage"}),
        has("glaucoma_poag.moderate_one"),
    ),
    Fault(
        "wrong code beside the condition", "condition data",
        added("obesity.class_2", code="Z68.38"), has("obesity.class_2"),
    ),
    Fault(
        "wrong wording beside the condition", "condition data",
        added("type2_diabetes.listed", term="Long term (current) use of insulin"),
        has("type2_diabetes.listed"),
    ),
    Fault(
        "condition of men given to women", "condition data",
        option("bph.without_symptoms", sex=2),
        lambda case: has("bph.without_symptoms")(case) and case.patient.sex == "female",
    ),
    # coder
    Fault(
        "A for an injury that heals", "coder", table("_INJURY", "healing", "A", CUT),
        told(CUT, "phase=healing"),
    ),
    Fault(
        "nonunion for delayed healing", "coder",
        table("_HEALING", ("closed", "delayed"), "K", WRIST),
        told("fracture=closed", "healing=delayed"), only("specificity_error"),
    ),
    Fault(
        "type III for open type I or II", "coder", table("_ACTIVE", "open_1_2", "C", WRIST),
        told("fracture=open_1_2", "phase=active"), only("specificity_error"),
    ),
    Fault(
        "0 for a placeholder", "coder",
        lengthened(lambda base, char: (base, "0", char), RIB), any_case,
    ),
    Fault(
        "external cause stays initial", "coder",
        lengthened(lambda base, char: (base, "X", "A" if base[0] in "VWXY" else char), CUT),
        told(CUT, "phase=healing"),
    ),
    Fault(
        "end stage in a combination code", "coder",
        linked(late_stage),
        lambda case: any(line.code == "I12.0" for line in case.claim),
    ),
    Fault(
        "no combination code", "coder", linked(lambda found: []),
        lambda case: {"I10", "N18.31"} <= {line.code for line in case.claim},
    ),
    Fault(
        "one code left off the claim", "coder", coded(list.pop), any_case,
    ),
    # injectors
    Fault(
        "correction to the wrong code itself", "injectors",
        broken(specificity_error, same_code), found("specificity_error"),
    ),
    Fault(
        "one accepted type instead of two", "injectors", broken(specificity_error, one_type),
        found("specificity_error", "incomplete"), only("specificity_error"),
    ),
    Fault(
        "section of another chapter", "injectors",
        cited(specificity_error, specificity=lambda kind, *_, **__: sources.specificity(kind, 20)),
        found("specificity_error"), only("specificity_error"),
    ),
    Fault(
        "evidence without the condition that is right", "injectors",
        broken(excludes1_conflict, less_evidence), found("excludes1_conflict"),
    ),
    Fault(
        "age as evidence for sex", "injectors", broken(demographic_mismatch, age_for_sex),
        found("demographic_mismatch", "sex"),
    ),
    Fault(
        "wrong last day of a code", "injectors",
        cited(
            untraceable_code,
            code_retired=lambda system, code, _: sources.code_retired(system, code, "2020-12-31"),
        ),
        lambda case: any(
            f.kind == "retired" and f.code[0].isalpha() and "." in f.code for f in case.findings
        ),
        only("untraceable_code"),
    ),
    Fault(
        "wrong bounds of an age group", "injectors", age_bounds,
        lambda case: any("adult diagnosis" in f.authority.reference for f in case.findings),
        only("demographic_mismatch"),
    ),
    Fault(
        "columns of a pair exchanged", "injectors",
        scenario(
            "large_and_small_metabolic_panel",
            lambda one: replace(one, column1=one.column2, column2=one.column1),
        ),
        found("ncci_edit"), only("ncci_edit"),
    ),
    Fault(
        "indicator 1 taken for 0", "injectors",
        scenario("echo_complete_and_limited", lambda one: replace(one, indicator=0)),
        found("ncci_edit"), only("ncci_edit"),
    ),
    Fault("a note that does not exist", "injectors", other_note, found("excludes1_conflict")),
    Fault(
        "decoy with a modifier that lifts no pair", "injectors",
        scenario("echo_complete_and_limited", plain_modifier), decoy("justified_modifier"),
        {"clean": 1.0},
    ),
    Fault(
        "modifier 25 on the procedure", "injectors", justified(move_modifier),
        decoy("justified_modifier"), {"clean": 1.0},
    ),
    Fault(
        "modifier 25 left out", "injectors", justified(drop_modifier),
        decoy("justified_modifier"), {"clean": 1.0},
    ),
    Fault("decoy of related conditions", "injectors", related_after_all, decoy("excludes2")),
    Fault(
        "answer of the physician the wrong way round", "injectors", wrong_answer,
        lambda case: bool(case.questions),
    ),
    # note writer
    Fault("span shifted by one", "note writer", shifted, any_case),
    Fault("spans given to another fact", "note writer", respanned(move_spans), two_problems),
    Fault("spans of two facts exchanged", "note writer", respanned(exchange_spans), two_problems),
    Fault(
        "side in the record flipped", "note writer",
        recorded(flip("side", right="left", left="right")), told("side="),
    ),
    Fault(
        "phase in the record flipped", "note writer",
        recorded(flip("phase", active="healing")), told("phase=active"),
    ),
    Fault(
        "ruled out and recorded as active", "note writer", recorded(still_active),
        found("excludes1_conflict"),
    ),
    Fault(
        "hidden fact in the record", "note writer", recorded(told_anyway),
        lambda case: bool(case.questions),
    ),
    # services
    Fault("label of another service", "services", recorded(other_service), services),
    Fault("more units than a day holds", "services", coded(many_units), services),
    Fault(
        "valid service among the retired", "services", living_code,
        lambda case: found("untraceable_code")(case) and "99291" in str(case.claim),
        only("untraceable_code"),
    ),
)  # fmt: skip
