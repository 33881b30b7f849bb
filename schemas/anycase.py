"""The models of all families' cases. A case is read by its field ``family``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .case import Case
from .coding_case import CodingCase
from .errors import InputError
from .rx_case import RxCase

AnyCase = Case | CodingCase | RxCase
CASES: dict[str, type[AnyCase]] = {"audit": Case, "coding": CodingCase, "rx": RxCase}
FIRST = "audit"
UNKNOWN = "family"  # the type of pydantic's error where no model is told


def family_of(data: Mapping[str, Any]) -> str:
    """The family of a case in parsed JSON, by whose model it is read.

    Where none is named it is the first one, which tells what is missing. Raises InputError for
    a family that is not known.
    """
    name = data.get("family", FIRST)
    if not isinstance(name, str) or name not in CASES:
        raise InputError("family", name, f"must be one of {', '.join(CASES)}")
    return name


def schema_name(family: str) -> str:
    """The name of the JSON Schema of a family's cases: its file is ``NAME.schema.json``."""
    return "case" if family == FIRST else f"{family}_case"


class ByFamily:
    """``Annotated[AnyCase, ByFamily()]``: pydantic reads each case by the model of its family.

    As with ``Pattern`` a mere import of the models needs no pydantic. The place of an error
    within the case begins with the name of the family.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[..., Any]) -> Any:
        """The schema of a union whose members are told apart by ``family``."""
        from pydantic_core.core_schema import tagged_union_schema

        generate: Callable[[Any], Any] = handler.generate_schema  # type: ignore[attr-defined]
        return tagged_union_schema(
            {name: generate(model) for name, model in CASES.items()},
            discriminator=_family,
            custom_error_type=UNKNOWN,
            custom_error_message=f"must be one of {', '.join(CASES)}",
        )


def _family(data: Any) -> Any:
    return data.get("family", FIRST) if isinstance(data, dict) else getattr(data, "family", FIRST)
