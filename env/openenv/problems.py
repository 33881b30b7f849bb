"""What pydantic found wrong, as one line."""

from __future__ import annotations

from pydantic import ValidationError

from casegen.schemas import InputError
from casegen.schemas.serial import field_name


def first_problem(error: ValidationError, whole: str) -> InputError:
    """The first thing that a validation found wrong; ``whole`` names what was validated."""
    found = error.errors(include_url=False, include_context=False)[0]
    value = None if found["type"] == "missing" else found.get("input")
    return InputError(field_name(found["loc"]) or whole, value, found["msg"])
