"""By what a case of each kind from practice is known: its findings and decoys.

The charts that a guideline codes as a whole (kinds 8-13, 18 and 19) are counted in
``test_guideline_kinds``.
"""

from __future__ import annotations

from collections.abc import Iterator

from casegen.schemas import Case, Decoy, Finding

KINDS = (
    "1 obstructive lung disease with asthma",
    "2 both types of diabetes",
    "2 words of a note that reach a code",
    "2 words of a note that do not reach a code",
    "3 unrelated conditions",
    "4 phase of care",
    "4 active treatment at a later visit",
    "4 healing of a fracture",
    "4 open or closed fracture",
    "5 characters or placeholders missing",
    "5 odd and valid",
    "6 wrong side",
    "6 unspecified although documented",
    "7 retired",
    "14 age by the claim editor",
    "14 age by the meaning",
    "14 sex by the meaning",
    "14 unexpected patient, and right",
    "15 complete and limited echocardiogram",
    "16 modifier that the record bears out",
    "16 modifier that it does not bear out",
    "16 modifier missing",
    "16 no modifier allowed",
    "16 pair deleted",
    "16 no pair",
    "17 visit with a procedure, modifier missing or unjustified",
    "17 visit with a procedure, right",
    "17 two visits on a day",
)


def kinds_of(case: Case) -> Iterator[str]:
    """The kinds that the findings and decoys of a case show, once for each."""
    for finding in case.findings:
        yield from _finding(finding)
    for decoy in case.decoys:
        yield from _decoy(decoy)


def _visit(code: str | None) -> bool:
    return code is not None and code.startswith(("992", "994")) and len(code) == 5


def _pair(one: Finding | Decoy) -> set[str]:
    return {one.code[:3], (one.related_code or "")[:3]}


def _finding(finding: Finding) -> Iterator[str]:
    kind = finding.kind
    if finding.error_type == "excludes1_conflict":
        if _pair(finding) == {"E10", "E11"}:
            yield "2 both types of diabetes"
        yield "2 words of a note that reach a code"
    elif finding.error_type == "specificity_error":
        named = {
            "phase": "4 phase of care", "healing": "4 healing of a fracture",
            "fracture_type": "4 open or closed fracture", "laterality": "6 wrong side",
            "incomplete": "5 characters or placeholders missing",
            "unspecified": "6 unspecified although documented",
        }  # fmt: skip
        if kind in named:
            yield named[kind]
    elif finding.error_type == "untraceable_code" and kind == "retired":
        yield "7 retired"
    elif finding.error_type == "demographic_mismatch":
        edit = kind == "age" and finding.authority.source == "mce"
        yield "14 age by the claim editor" if edit else f"14 {kind} by the meaning"
    elif finding.error_type == "ncci_edit":
        yield from _ncci_finding(finding)


def _ncci_finding(finding: Finding) -> Iterator[str]:
    members = {finding.code, finding.related_code}
    if members <= {"93306", "93307", "93308"}:
        yield "15 complete and limited echocardiogram"
    visits = sum(map(_visit, members))
    if visits == 2:
        yield "17 two visits on a day"
    elif visits == 1 and finding.kind in ("missing_modifier", "unjustified_modifier", "bundled"):
        yield "17 visit with a procedure, modifier missing or unjustified"
    elif not visits:
        named = {
            "missing_modifier": "16 modifier missing",
            "unjustified_modifier": "16 modifier that it does not bear out",
            "indicator_0": "16 no modifier allowed",
        }
        if finding.kind in named:
            yield named[finding.kind]


def _decoy(decoy: Decoy) -> Iterator[str]:
    kind = decoy.kind
    if kind == "code_also" and _pair(decoy) == {"J44", "J45"}:
        yield "1 obstructive lung disease with asthma"
    named = {
        "does_not_reach": "2 words of a note that do not reach a code",
        "unrelated": "3 unrelated conditions",
        "active_treatment": "4 active treatment at a later visit",
        "odd_but_valid": "5 odd and valid",
        "unexpected_patient": "14 unexpected patient, and right",
        "deleted_pair": "16 pair deleted",
        "no_pair": "16 no pair",
    }
    if kind in named:
        yield named[kind]
    if kind == "justified_modifier":
        if _visit(decoy.code) or _visit(decoy.related_code):
            yield "17 visit with a procedure, right"
        else:
            yield "16 modifier that the record bears out"
