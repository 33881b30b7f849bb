"""The agent that knows the answer and says it."""

from __future__ import annotations

from casegen.env.audit.ledger import mended
from casegen.schemas import Finding
from casegen.schemas.pack import Task
from casegen.schemas.play import AuditObservation

from ..case import case_of
from .script import Script, Scripted, each, flag, looks


def oracle(task: Task, seed: int) -> Scripted:
    """Flags each finding; of a clean claim it looks at every code."""

    def script(observation: AuditObservation) -> Script:
        if not case_of(task).findings:
            yield from each(looks(observation, observation.max_steps))
        for finding, code in named(task):
            yield flag(
                code,
                finding.error_type,
                "; ".join(finding.key_terms),
                mended(finding.correction),
                other_member(finding, code),
            )

    return Scripted(script)


def named(task: Task) -> list[tuple[Finding, str]]:
    """The findings of a task, each with the code by which to flag it.

    A code carries one finding where another member of its pair can take the second. What no
    flag of its own can name is left out: under ``strict`` a flag names all findings of its code
    and type, and under ``seed`` a second flag would replace the first.
    """
    chosen: list[tuple[Finding, str]] = []
    codes: set[str] = set()
    flags: set[tuple[str, str]] = set()
    # Those with a single code first, so that pairs leave it to them.
    for finding in sorted(case_of(task).findings, key=lambda f: len(f.accepted_codes)):
        free = [code for code in finding.accepted_codes if code not in codes]
        if task.profile == "strict" and not free:
            kind = finding.error_type
            free = [code for code in finding.accepted_codes if (code, kind) not in flags]
        if free:
            code = finding.code if finding.code in free else free[0]
            codes.add(code)
            flags.add((code, finding.error_type))
            chosen.append((finding, code))
    return sorted(chosen, key=lambda item: item[0].line)


def other_member(finding: Finding, code: str) -> str | None:
    """The member of a finding's pair that ``code`` is not, None where there is no pair."""
    if finding.related_code is None:
        return None
    return finding.related_code if code == finding.code else finding.code
