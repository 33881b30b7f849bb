"""Units a day and add-on codes of professional claims: open points, never errors."""

from __future__ import annotations

from casegen.schemas import authority as sources

from .memo import Work, service_code


def judge_limits(work: Work) -> None:
    """Medically unlikely edits and add-on codes without a primary service (NCCI)."""
    if work.view.claim_type != "professional":
        return
    units: dict[str, int] = {}
    for line, svc in work.svc:
        code = svc.code
        total = units[code] = units.get(code, 0) + line.units
        if svc.mue is not None and total > svc.mue:
            text = f"line {line.line}: {total} units of {line.code} a day, {svc.mue} at most"
            work.review(line, line.code, "mue", text, sources.mue(code, svc.mue))
        if svc.primaries:
            billed = {service_code(other.code) for other in work.view.lines}
            if billed.isdisjoint(svc.primaries):
                text = f"line {line.line}: {line.code} is an add-on code without its primary"
                work.review(line, line.code, "add_on", text, sources.add_on(code))
