"""``query_guideline``: what the official tables know of a code on the claim."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from casegen.checker.existence import service_shape
from casegen.lookup.codes import ICD, system_by_form
from casegen.schemas import ClaimLine
from casegen.schemas.pack import Task
from casegen.seeds.icd10cm.codes import canonical

from ..case import case_of
from .diagnosis_text import diagnosis_lines, fixed_of
from .own_rules import with_own_rules
from .service_text import bare, service_lines, service_of
from .source import Claim, claim_of

_TEXTS = 4_096  # a text has some two kilobytes


def guideline_text(task: Task, line: ClaimLine) -> str:
    """What the tables know of the code of a line on the date of service: title, validity, what
    completes it, notes and whom on the claim they name, sex, age, edits. Facts only: it tells
    nothing of what the note supports. The rules of the task stand before it.

    Raises InputError where the case goes by imported tables that aren't here.
    """
    official = _official(line.code, line.system, claim_of(case_of(task)))
    return with_own_rules(task.own_rules, official, line.code)


@lru_cache(maxsize=_TEXTS)
def _official(code: str, system: str, claim: Claim) -> str:
    return "\n".join(_lines(code, system, claim))


def _lines(code: str, system: str, claim: Claim) -> Iterator[str]:
    """By the system that the claim names, then what another system has under that number."""
    if system == ICD:
        yield from diagnosis_lines(code, claim)
        # With a dot it can't be a code of CPT or HCPCS.
        if "." not in code:
            service = service_of(bare(code), claim.on, claim.tables, claim.digest)
            number = bare(code)
            if service is not None:
                yield f"{service['system']} has a code {number}: {service['label']}."
            elif service_shape(number):
                yield (
                    f"{number} has the form of {system_by_form(number)} codes, of which the list "
                    "at hand holds only some."
                )
        return
    yield from service_lines(code, system, claim)
    # Without a dot only what CPT and HCPCS don't know is looked for among the diagnoses.
    if "." in code or service_of(bare(code), claim.on, claim.tables, claim.digest) is None:
        printed = canonical(code)
        fixed = fixed_of(printed, claim.tables, claim.digest)
        if fixed is not None:
            yield f"{ICD} has a code {printed}: {fixed.name or 'no title in this release'}."
