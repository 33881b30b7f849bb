"""Does the code exist on the date of service, and what should stand in its place?"""

from __future__ import annotations

from casegen.schemas import authority as sources
from casegen.seeds.icd10cm.codes import canonical

from .facts import questions_used
from .matching import assign, fills
from .memo import ICD, Memo, service_code
from .model import ViewLine
from .work import Broken, Work


def system_of(line: ViewLine, memo: Memo, unjudged: list[str]) -> str:
    """The code system of a line: the stated one, else the one whose table knows the code.

    A code that ICD-10-CM and the service list both know (J1100 without a dot) is read as a
    service, and ``unjudged`` says so. Shape decides only where no table knows the code.
    """
    if line.system:
        return line.system
    code = service_code(line.code)
    service = memo.svc[line.code]
    tables = memo.tables
    diagnosis = canonical(line.code)
    known = tables.exists(diagnosis) or bool(tables.validity(diagnosis))
    if service is not None and "." not in line.code:
        if known:
            text = f"{code} without a dot could also be {diagnosis}; "
            text += f"read as {service.service.system}; name the system to settle it"
            if not any(told.endswith(text) for told in unjudged):
                unjudged.append(f"line {line.line}: {text}")
        return service.service.system
    if known:
        return ICD
    if "." not in line.code and (service_shape(code) or memo.services.retired(code) is not None):
        return "HCPCS" if code[0].isalpha() else "CPT"
    return ICD


def service_shape(code: str) -> bool:
    """True if a CPT or HCPCS code could look like that: five digits, four digits and one of
    F, T, U, A, M, or a letter from A to V and four digits."""
    if len(code) != 5 or not code.isascii():
        return False
    if code[0].isdigit():
        return code[:4].isdigit() and (code[4].isdigit() or code[4] in "FTUAM")
    return "A" <= code[0] <= "V" and code[1:].isdigit()


def broken_diagnosis(line: ViewLine, memo: Memo, on: str) -> Broken:
    """Why the ICD-10-CM code of a line isn't valid on the ISO date ``on``."""
    tables = memo.tables
    code = memo.icd[line.code].code
    status = tables.status(code, on)
    if status == "incomplete":
        authority = sources.specificity("incomplete", 0)
        message = f"{line.code} is not a complete ICD-10-CM code"
        return Broken(line, code, ICD, "incomplete", authority, message)
    if status == "retired":
        last = max((to for first, to in tables.validity(code) if first <= on), default=on)
        authority = sources.code_retired(ICD, code, last)
        message = f"{line.code} was valid to {last} only"
        return Broken(line, code, ICD, "retired", authority, message)
    if status == "not_yet_valid":
        first = min((since for since, to in tables.validity(code) if to >= on), default=on)
        authority = sources.code_not_yet_valid(ICD, code, first)
        message = f"{line.code} is valid from {first} on"
        return Broken(line, code, ICD, "not_yet_valid", authority, message)
    bare = service_code(line.code)
    service = memo.svc[bare]
    other = None if service is None else service.service.system
    if other is None and memo.services.retired(bare) is not None:
        other = "HCPCS" if bare[0].isalpha() else "CPT"
    return _stranger(line, code, ICD, other)


def broken_service(line: ViewLine, memo: Memo, on: str, system: str) -> Broken | None:
    """Why the code of a service line isn't valid; None if it may exist outside our list.

    A HCPCS code starts with a letter and a CPT code with a digit, so that the form of a code
    tells a wrong system even where our list doesn't hold it.
    """
    code = service_code(line.code)
    service = memo.svc[code]
    if service is not None:
        return _stranger(line, code, system, service.service.system)
    ended = memo.services.retired(code)
    if ended is not None and ended <= on:
        authority = sources.service_retired(system, code, ended)
        message = f"{line.code} is no longer valid from {ended} on"
        return Broken(line, code, system, "retired", authority, message)
    # J1100 without a dot may be the HCPCS code of that shape, whatever J11.00 is.
    if service_shape(code):
        own = "HCPCS" if code[0].isalpha() else "CPT"
        return None if own == system else _stranger(line, code, system, own)
    if memo.tables.exists(canonical(line.code)):
        return _stranger(line, code, system, ICD)
    return _stranger(line, code, system, None)


def _stranger(line: ViewLine, code: str, system: str, other: str | None) -> Broken:
    if other is not None:
        authority = sources.code_of_other_system(system, code, other)
        message = f"{line.code} is claimed as {system} and is a code of {other}"
        return Broken(line, code, system, "other_system", authority, message)
    authority = sources.code_unknown(system, code)
    message = f"{line.code} never was a code of {system}"
    return Broken(line, code, system, "never_existed", authority, message)


def judge_incomplete(work: Work) -> None:
    """Incomplete codes: the unbilled expected code that completes them mends them."""
    lines = [broken for broken in work.broken if broken.kind == "incomplete"]
    if not lines:
        return
    stems = {b.line.line: b.code.replace(".", "") for b in lines}
    mended = assign(stems, work.unbilled(), fits=fills)
    for broken in lines:
        _enter(work, broken, mended.get(broken.line.line))


def judge_untraceable(work: Work) -> None:
    """All other invalid codes. Of the expected codes that nothing brings yet, the one that
    looks most like the claimed code mends it. Runs after every rule that has a better claim
    to those codes."""
    lines = [broken for broken in work.broken if broken.kind != "incomplete"]
    if not lines:
        return
    icd = {b.line.line: b.code.replace(".", "") for b in lines if b.system == ICD}
    others = {b.line.line: b.code for b in lines if b.system != ICD}
    mended = {**assign(icd, work.unbilled()), **assign(others, work.unbilled_services())}
    _cross(work, lines, mended)
    for broken in lines:
        _enter(work, broken, mended.get(broken.line.line))


def _cross(work: Work, lines: list[Broken], mended: dict[int, str]) -> None:
    """A code under the wrong system: its own system's expected code may be what is meant."""
    taken = set(mended.values())
    for broken in lines:
        if broken.kind != "other_system" or broken.line.line in mended:
            continue
        pool = work.unbilled_services() if broken.system == ICD else work.unbilled()
        found = assign({broken.line.line: broken.code}, [c for c in pool if c not in taken])
        mended.update(found)
        taken.update(found.values())


def _enter(work: Work, broken: Broken, right: str | None) -> None:
    record = work.record
    facts = []
    questions: list[str] = []
    if record is not None and right is not None:
        facts = record.expected.get(right) or record.services.get(right) or []
        questions = questions_used(record, work.memo, facts)
    message = f"line {broken.line.line}: {broken.message}"
    if right is not None:
        message += f"; the record calls for {right}"
    if broken.kind == "incomplete":
        work.verdict(
            "specificity_error",
            "incomplete",
            broken.line,
            broken.authority,
            message,
            replacement=right,
            also="untraceable_code",
            facts=facts,
            questions=questions,
        )
    else:
        work.verdict(
            "untraceable_code",
            broken.kind,
            broken.line,
            broken.authority,
            message,
            replacement=right,
            facts=facts,
            questions=questions,
        )
