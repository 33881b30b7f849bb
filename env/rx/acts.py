"""What an act does: a source of the record is shown, or the answer is taken."""

from __future__ import annotations

from dataclasses import replace

from casegen.schemas import InputError
from casegen.schemas.rx_play import RxAction

from .case import FIELDS, FULL, SOURCES
from .event import Event
from .ledger import Ledger

REQUEST, SUBMIT = "request_info", "submit"
REQUESTS = (*SOURCES, FULL)
RECOMMENDATIONS = ("approve", "modify", "reject")
LONGEST_NAME = 200  # characters of a pair
LONGEST_WORD = 64  # characters of a choice
LONGEST_REASON = 20_000
MOST_NAMES = 100  # pairs of one list
_SHOWN = 40  # characters of a choice in a complaint


def carry_out(ledger: Ledger, action: RxAction) -> Event:
    """Carry out one act and keep the ledger.

    Raises InputError, before anything counts, where the action is none.
    """
    check(action)
    return (_show if _word(action.action_type) == REQUEST else _submit)(ledger, action)


def check(action: RxAction) -> None:
    """Raise InputError where an action is none."""
    if not isinstance(action, RxAction):
        raise InputError("action", action, "an RxAction")
    _check_text("action_type", action.action_type, LONGEST_WORD)
    if _word(action.action_type) not in (REQUEST, SUBMIT):
        raise InputError("action_type", action.action_type, f"{REQUEST} or {SUBMIT}")
    for name, most in (
        ("info_requested", LONGEST_WORD),
        ("recommendation", LONGEST_WORD),
        ("reasoning", LONGEST_REASON),
    ):
        value = getattr(action, name)
        if value is not None:
            _check_text(name, value, most)
    if not isinstance(action.dosage_safe, bool | None):
        raise InputError("dosage_safe", action.dosage_safe, "true or false")
    for name in FIELDS.values():
        _check_names(name, getattr(action, name))


def _check_names(field: str, names: object) -> None:
    if names is None:
        return
    if not isinstance(names, list):
        raise InputError(field, names, "a list of pairs")
    if len(names) > MOST_NAMES:
        raise InputError(field, len(names), f"at most {MOST_NAMES} pairs")
    for at, name in enumerate(names):
        _check_text(f"{field}[{at}]", name, LONGEST_NAME)


def _check_text(field: str, value: object, most: int) -> None:
    if not isinstance(value, str):
        raise InputError(field, value, "text")
    if len(value) > most:
        raise InputError(field, len(value), f"at most {most} characters")


def _show(ledger: Ledger, action: RxAction) -> Event:
    wanted = _word(action.info_requested or "")
    if wanted not in REQUESTS:
        told = f"one of {', '.join(REQUESTS)}"
        return Event(error=f"info_requested: {_shown(action.info_requested)}: {told}")
    asked = SOURCES if wanted == FULL else (wanted,)
    new = [source for source in asked if source not in ledger.read]
    ledger.read += new
    ledger.repeated += not new
    return Event(len(new))


def _submit(ledger: Ledger, action: RxAction) -> Event:
    """Take the answer. A field that is missing is wrong; a recommendation that there is not is
    told, and the episode goes on."""
    told = action.recommendation
    word = None if told is None else _word(told)
    if word is not None and word not in RECOMMENDATIONS:
        return Event(error=f"recommendation: {_shown(told)}: one of {', '.join(RECOMMENDATIONS)}")
    answer = replace(
        action,
        action_type=SUBMIT,
        recommendation=word,
        interactions_found=_copied(action.interactions_found),
        allergy_conflicts=_copied(action.allergy_conflicts),
        contraindications_found=_copied(action.contraindications_found),
    )
    ledger.submit(answer)
    return Event()


def _copied(names: list[str] | None) -> list[str] | None:
    return None if names is None else list(names)


def _word(text: str) -> str:
    return text.strip().casefold()


def _shown(text: str | None) -> str:
    if text is None:
        return "missing"
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")
