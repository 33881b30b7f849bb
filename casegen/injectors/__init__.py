"""The injectors, one module an error type, and their decoys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from casegen.schemas.case import ErrorType

from . import (
    demographic_mismatch,
    excludes1_conflict,
    ncci_edit,
    specificity_error,
    untraceable_code,
)

ERRORS: dict[ErrorType, Callable[..., Any]] = {
    "demographic_mismatch": demographic_mismatch.reserve,
    "excludes1_conflict": excludes1_conflict.reserve,
    "ncci_edit": ncci_edit.reserve,
    "specificity_error": specificity_error.reserve,
    "untraceable_code": untraceable_code.reserve,
}
# Each as often as it stands here: what tables alone take for wrong needs right company most.
DECOYS: tuple[Callable[..., Any], ...] = (
    demographic_mismatch.reserve_decoy,
    *(excludes1_conflict.reserve_decoy,) * 8,
    *(ncci_edit.reserve_decoy,) * 11,
    specificity_error.reserve_decoy,
    untraceable_code.reserve_decoy,
)

__all__ = ["DECOYS", "ERRORS"]
