"""A regular expression as an annotation, for pydantic and JSON Schema."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Pattern:
    """``Annotated[str, Pattern(r"^...$")]``: pydantic calls the method below when it compiles
    the models, so that a mere import of the models needs no pydantic."""

    regex: str

    def __get_pydantic_core_schema__(
        self, source: Any, handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        """The schema of the annotated type with the expression added."""
        return {**handler(source), "pattern": self.regex}
