"""Units a day and add-on codes of professional claims: open points, never errors."""

from __future__ import annotations

from casegen.schemas import authority as sources

from .memo import service_code
from .model import ViewLine
from .work import Work


def judge_limits(work: Work) -> None:
    """Medically unlikely edits and add-on codes without a primary service (NCCI)."""
    if work.view.claim_type != "professional":
        return
    units: dict[str, int] = {}
    exceeded: dict[str, tuple[ViewLine, int]] = {}
    billed: set[str] = set()
    for line, svc in work.svc:
        code = svc.code
        total = units[code] = units.get(code, 0) + line.units
        if svc.mue is not None and total > svc.mue:
            exceeded.setdefault(code, (line, svc.mue))
        if svc.primaries:
            billed = billed or {service_code(other.code) for other in work.view.lines}
            if billed.isdisjoint(svc.primaries):
                text = f"line {line.line}: {line.code} is an add-on code without its primary"
                work.review(line, line.code, "add_on", text, sources.add_on(code))
    for code, (line, most) in exceeded.items():
        text = f"line {line.line}: {units[code]} units of {line.code} a day, {most} at most"
        work.review(line, line.code, "mue", text, sources.mue(code, most))
