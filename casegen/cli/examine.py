"""Examines one stored case: schema, content hash, consistency, spans, truth, and on demand
whether its own recipe makes it."""

from __future__ import annotations

from typing import Any

from casegen.schemas import CertificationError, InputError
from casegen.schemas.anycase import AnyCase, family_of
from casegen.schemas.serial import (
    HASH,
    TOO_DEEP,
    case_from,
    content_hash,
    deep_field,
    field_name,
)
from casegen.seeds.icd10cm.tables import Tables

from ..accident import AccidentError
from ..config import BUNDLED
from ..conform import case_validator
from ..knowledge import reference_of
from .consistent import consistent, stated
from .family import family
from .remake import Remaker
from .where import Where

# How the checker says that it passed over a fact for its term.
UNREAD = ("is no wording of", "is no label of", "by the tables, not valid on")


class Examiner:
    """Holds the compiled schema and the tables, and examines case after case of one file."""

    def __init__(self, *, remake: bool = False, tables: str | None = None) -> None:
        self._wanted = tables
        # Those of the last case: a file mostly holds the cases of one recipe.
        self._tables, self._services = reference_of(BUNDLED if tables is None else tables)
        self._remaker = Remaker() if remake else None
        self._lines: dict[str, int] = {}  # where the case of an id stands

    def examine(self, data: dict[str, Any], path: str, line: int) -> AnyCase:
        """The case, if it holds. Raises InputError naming path, line and field."""
        where = Where(path, line)
        try:
            for error in case_validator(_family(data, where)).iter_errors(data):
                where.fail(*_told(error))
        except RecursionError:
            where.fail(deep_field(data) or "case", None, TOO_DEEP)
        case = case_from(data, path=path, line=line)
        if data.get(HASH) is None:
            where.fail(HASH, None, "is missing; a stored case carries its hash")
        if data[HASH] != content_hash(case):
            where.fail(HASH, data[HASH], "does not fit what the case holds")
        self._use_tables(case, where)
        consistent(case, where, self._tables, self._services)
        own = family(case.family)
        try:
            passed_over = own.certify(case, self._tables, self._services)
        except (CertificationError, AccidentError) as error:
            where.fail(own.answer, case.id, f"not certified: {error}"[:600])
        for told in passed_over:
            if told.startswith('"') and any(words in told for words in UNREAD):
                where.fail("record", told, "a fact's term must be official wording of these tables")
        stated(case, where)
        if self._remaker is not None:
            self._remaker.compare(case, where)
        first = self._lines.setdefault(case.id, line)
        if first != line:
            where.fail("id", case.id, f"stands on line {first} already")
        return case

    def _use_tables(self, case: AnyCase, where: Where) -> None:
        """Take the tables that the case names. Raises InputError, by ``where``, where there are
        none such, or where they hold something else."""
        name, bundled = case.tables.name, Tables.name
        if name != self._tables.name:
            if self._wanted is not None:
                told = f"made with other tables than those asked for ({self._tables.name})"
                where.fail("tables.name", name, told)
            try:
                self._tables, self._services = reference_of(BUNDLED if name == bundled else name)
            except InputError as error:
                where.fail("tables.name", name, error.mend)
        if case.tables.digest != self._tables.digest:
            told = f"made with other tables than these ({self._tables.name})"
            if name != bundled:
                told = f"the imported set {name} holds something else here: {self._tables.digest}"
            where.fail("tables.digest", case.tables.digest, told)
        recipe = case.options.get("tables", BUNDLED)
        right = BUNDLED if name == bundled else f"{name}@{self._tables.digest[:12]}"
        if recipe != right:
            where.fail("options.tables", recipe, f"must be {right} by the case's tables")


def _family(data: dict[str, Any], where: Where) -> str:
    try:
        return family_of(data)
    except InputError as error:
        where.fail(error.field, error.value, error.mend)


def _told(error: Any) -> tuple[str, object, str]:
    """Field, value and mend of an error of jsonschema."""
    field = field_name(error.absolute_path)
    rule, wanted, value = error.validator, error.validator_value, error.instance
    if rule == "required":
        name = next(name for name in wanted if name not in value)
        return f"{field}.{name}".removeprefix("."), None, "is missing"
    if rule == "additionalProperties" and wanted is False:
        known = error.schema.get("properties", {})
        name = next(name for name in value if name not in known)
        return f"{field}.{name}".removeprefix("."), value[name], "is no field of the schema"
    if rule == "enum":
        return field, value, f"must be one of {', '.join(map(str, wanted))}"
    if rule == "type":
        return field, value, f"must be of type {wanted}"
    if rule == "pattern":
        return field, value, f"must match {wanted}"
    if rule in ("minimum", "minLength"):
        return field, value, f"must be at least {wanted}{' long' if rule == 'minLength' else ''}"
    return field or "case", value, error.message[:160]
