"""What an act does: its codes are held against the allowed set, and the ledger is kept."""

from __future__ import annotations

from casegen.env.codes import fold
from casegen.schemas import InputError
from casegen.schemas.coding_play import CodingAction

from .draft import Draft, Ledger
from .event import Event

LONGEST_CODE = 64
MOST_CODES = 100  # secondary codes of one draft; an allowed set holds at most 40
_SHOWN = 40  # characters of a code in a complaint


def carry_out(ledger: Ledger, action: CodingAction) -> Event:
    """Carry out one act and keep the ledger: first the draft, then the hint, then the end.

    Raises InputError, before anything counts, where the action is none.
    """
    check(action)
    errors: list[str] = []
    outside, repeated = _draft(ledger, action, errors)
    exhausted = action.request_hint and not _hint(ledger, errors)
    ledger.finalized = action.finalize
    return Event(
        outside, repeated, action.request_hint, exhausted, "; ".join(errors) if errors else None
    )


def check(action: CodingAction) -> None:
    """Raise InputError where an action is none."""
    if not isinstance(action, CodingAction):
        raise InputError("action", action, "a CodingAction")
    _check_code("primary_code", action.primary_code)
    codes = action.secondary_codes
    if codes is not None:
        if not isinstance(codes, list):
            raise InputError("secondary_codes", codes, "a list of codes")
        if len(codes) > MOST_CODES:
            raise InputError("secondary_codes", len(codes), f"at most {MOST_CODES} codes")
        for at, code in enumerate(codes):
            _check_code(f"secondary_codes[{at}]", code)
    for name in ("needs_review", "request_hint", "finalize"):
        value = getattr(action, name)
        if not isinstance(value, bool) and not (value is None and name == "needs_review"):
            raise InputError(name, value, "true or false")


def _check_code(field: str, code: object) -> None:
    if not isinstance(code, str):
        raise InputError(field, code, "a code, as text")
    if len(code) > LONGEST_CODE:
        raise InputError(field, code, f"at most {LONGEST_CODE} characters")


def _draft(ledger: Ledger, action: CodingAction, errors: list[str]) -> tuple[int, bool]:
    """Put the codes and the flag of an act into the draft: how many codes were outside of the
    allowed set, and whether the draft stood before.

    An act that gives no draft and asks for nothing leaves the draft as it stood, and so brings
    it again. One that finalizes may well say again what stands.
    """
    primary = action.primary_code.strip()
    given = bool(primary) or action.secondary_codes is not None or action.needs_review is not None
    if not given and (action.request_hint or action.finalize):
        return 0, False
    named = ([primary] if primary else []) + (action.secondary_codes or [])
    outside = {fold(code): code for code in named if ledger.code(code) is None}
    if outside:
        shown = ", ".join(map(_shown, outside.values()))
        errors.append(f"the draft is refused: not among the allowed codes: {shown}")
        return len(outside), False
    draft = _changed(ledger, primary, action)
    repeated = draft.key in ledger.drafts and not action.finalize
    if repeated:
        ledger.repeated += 1
        errors.append("that draft stood before" if given else "the act holds nothing to do")
    ledger.draft = draft
    ledger.drafts.add(draft.key)
    return 0, repeated


def _changed(ledger: Ledger, primary: str, action: CodingAction) -> Draft:
    """The draft as the act, whose codes are all allowed, would have it."""
    old = ledger.draft
    secondary = old.secondary
    if action.secondary_codes is not None:
        secondary = tuple(ledger.codes[fold(code)] for code in action.secondary_codes)
    return Draft(
        ledger.codes[fold(primary)] if primary else old.primary,
        secondary,
        old.needs_review if action.needs_review is None else action.needs_review,
    )


def _hint(ledger: Ledger, errors: list[str]) -> bool:
    """Reveal the next hint; False where there is none left."""
    if ledger.hints >= len(ledger.case.hints):
        errors.append("no hint is left")
        return False
    ledger.hints += 1
    return True


def _shown(code: str) -> str:
    return repr(code if len(code) <= _SHOWN else code[: _SHOWN - 3] + "...")
