"""Certifies a case: the checker, which knows neither chart nor coder nor injectors, must find
exactly the case's findings and nothing to object to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casegen.schemas import Case, CertificationError, Finding

from .accident import AccidentError
from .checker import ClaimView, Report, Review, Verdict, check
from .checker.model import Line

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

Key = tuple[object, ...]
# An assumed link between two problems, such as diabetes and a condition of the long tail,
# leaves more than one code open: the record alone does not say which. That comes by chance;
# a fact of any other problem that names several codes is a defect.
OPEN = "record does not settle"
LINKED = ("E10", "E11", "I10", "I11", "I12", "I13")
# Two right codes that an Excludes1 note ties may meet by chance, and two injuries may have one
# external cause; every other open point says that chart, coder, note or tables are wrong.
BY_CHANCE = frozenset(("excludes1", "duplicate"))


def view_of(case: Case) -> ClaimView:
    """What the checker may see of a case: claim, patient, encounter, record, answers."""
    encounter = case.encounter
    return ClaimView(
        case.patient.sex,
        case.patient.birth_date,
        encounter.setting,
        encounter.claim_type,
        encounter.service_date,
        encounter.admission_date,
        case.claim,
        case.record,
        case.questions,
    )


def finding_key(finding: Finding | Verdict) -> Key:
    """All that two accounts of one finding must share."""
    correction = finding.correction
    return (
        finding.error_type,
        finding.kind,
        finding.line,
        finding.code,
        finding.related_code,
        tuple(sorted(finding.accepted_codes)),
        tuple(sorted(finding.accepted_error_types)),
        correction.action,
        correction.line,
        correction.code,
        correction.replacement,
        tuple(sorted((span.start, span.end, span.text) for span in finding.evidence)),
        tuple(sorted(finding.questions)),
        finding.authority.source,
        finding.authority.reference,
        finding.authority.edition,
    )


def spans_hold(case: Case) -> str | None:
    """None if every span of the record says what stands there in the note, else which not."""
    note = case.note
    for fact in case.record:
        for span in fact.spans:
            if note[span.start : span.end] != span.text:
                return f"fact {fact.id}: the note does not read {span.text!r} at {span.start}"
    return None


def certify(case: Case, tables: Tables, services: Services) -> Report:
    """Raise CertificationError where the checker misses or contradicts the case, AccidentError
    where it finds more than was meant, on the claim or once it is mended; return the report of a
    certified case."""
    wrong = spans_hold(case)
    if wrong is not None:
        raise CertificationError(f"{case.id}: {wrong}")
    report = check(view_of(case), tables, services)
    if report.reviews or not _same_as_it_stands(case.findings, report.verdicts):
        _compare(case, report)
    if case.findings:
        _certify_mended(case, tables, services)
    return report


def _certify_mended(case: Case, tables: Tables, services: Services) -> None:
    """Raise AccidentError where a correction brings a code that an Excludes1 note may keep apart
    from another right one, while nothing in the record says that the two are unrelated.

    Guideline I.A.12.a lets such a pair stand only if it is unrelated. On the claim as it is the
    wrong code hides the pair: a 7th character alone can decide whether a note names a code.
    """
    bits, masks = tables.store.ties["bits"], tables.store.ties["masks"]
    for finding in case.findings:
        new = finding.correction.replacement
        if new is None:
            continue
        mask = masks.get(new[:3])
        if not mask:  # most codes, and all modifiers and services
            continue
        codes = [line.code for line in case.claim if line.line != finding.line]
        codes += [f.correction.replacement or "" for f in case.findings if f is not finding]
        for other in codes:
            # Of most pairs the categories tell that no note ties them.
            if bits.get(other[:3], 0) & mask and tables.kept_apart(new, other):
                view = view_of(case)
                view.lines = mended_lines(case)
                kinds = {review.kind for review in check(view, tables, services).reviews}
                if "excludes1" in kinds:
                    raise AccidentError("review excludes1 once mended")
                return


def mended_lines(case: Case) -> list[Line]:
    """The lines of the claim with all corrections applied; they keep their numbers."""
    lines = {
        line.line: Line(line.line, line.code, line.system, line.modifiers, line.units)
        for line in case.claim
    }
    for finding in case.findings:
        mend = finding.correction
        line = lines.get(mend.line)
        if line is None:  # removed by another finding
            continue
        if mend.action == "remove":
            del lines[mend.line]
        elif mend.replacement is None:
            continue
        elif mend.action == "replace":
            # The tables tell the system of the new code, which may be another one.
            line.code, line.system = mend.replacement, ""
        else:
            line.modifiers = [*line.modifiers, mend.replacement]
    return list(lines.values())


def _same_as_it_stands(findings: list[Finding], verdicts: list[Verdict]) -> bool:
    """Whether findings and verdicts are the same one by one, no two of them alike.

    That is how a right case nearly always comes. False says no more than that ``_compare`` has
    to look, which heeds no order and tells what differs.
    """
    if len(findings) != len(verdicts):
        return False
    before = 0
    for finding, verdict in zip(findings, verdicts, strict=True):
        line = finding.line
        if line <= before or not _same(finding, verdict):
            return False
        before = line
    return True


def _same(finding: Finding, verdict: Verdict) -> bool:
    """Whether all fields of ``finding_key`` are the same, lists also in their order."""
    ours, theirs = finding.correction, verdict.correction
    if (
        finding.error_type != verdict.error_type
        or finding.kind != verdict.kind
        or finding.line != verdict.line
        or finding.code != verdict.code
        or finding.related_code != verdict.related_code
        or finding.accepted_codes != verdict.accepted_codes
        or finding.accepted_error_types != verdict.accepted_error_types
        or finding.questions != verdict.questions
        or ours.action != theirs.action
        or ours.line != theirs.line
        or ours.code != theirs.code
        or ours.replacement != theirs.replacement
        or finding.evidence != verdict.evidence
    ):
        return False
    one, other = finding.authority, verdict.authority
    return (
        one.reference == other.reference
        and one.source == other.source
        and one.edition == other.edition
    )


def _compare(case: Case, report: Report) -> None:
    """Raise the error of ``certify`` that findings, verdicts and reviews call for, if any."""
    if any(r.kind == OPEN and r.code.startswith(LINKED) for r in report.reviews):
        raise AccidentError(f"review {OPEN}")
    found = {finding_key(verdict): verdict for verdict in report.verdicts}
    missing = [f for f in case.findings if finding_key(f) not in found]
    if missing and _crossed(missing, report):
        raise AccidentError("two wrong codes each look like the other's right one")
    if missing:
        first = missing[0]
        told = "; ".join(str(finding_key(v)) for v in report.verdicts)
        raise CertificationError(
            f"{case.id}: the checker does not find {finding_key(first)}; it found {told}; "
            f"reviews {[(r.kind, r.code, r.message) for r in report.reviews]}"
        )
    if len({finding_key(f) for f in case.findings}) < len(case.findings):
        raise CertificationError(f"{case.id}: a finding stands there twice")
    if len(report.verdicts) > len(case.findings):
        expected = {finding_key(f) for f in case.findings}
        extra = next(v for key, v in found.items() if key not in expected)
        codes = {code for finding in case.findings for code in finding.accepted_codes}
        if extra.code not in codes and extra.related_code not in codes:
            raise CertificationError(f"{case.id}: on a line meant to be right: {extra.message}")
        raise AccidentError(f"also {extra.error_type} {extra.kind}")
    for review in report.reviews:
        if review.kind not in BY_CHANCE or _of_decoy(review, case):
            raise CertificationError(
                f"{case.id}: line {review.line} {review.code}: {review.kind}: {review.message}"
            )
        raise AccidentError(f"review {review.kind}")


def _of_decoy(review: Review, case: Case) -> bool:
    """Whether a review objects to the very pair of a decoy, which is to stand."""
    pairs = ((d.code, d.related_code) for d in case.decoys if d.error_type == "excludes1_conflict")
    return any(
        f"{a} and {b} " in review.message or f"{b} and {a} " in review.message for a, b in pairs
    )


def _crossed(missing: list[Finding], report: Report) -> bool:
    """Whether the checker finds the same untraceable lines and only gives two of them each
    other's right code, by their looks: the claim alone does not say which is which."""
    lines = {v.line for v in report.verdicts if v.error_type == "untraceable_code"}
    return len(missing) > 1 and all(
        f.error_type == "untraceable_code" and f.line in lines for f in missing
    )
