"""Reads services.yaml and refuses what the model doesn't allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casegen.schemas import TableError

from .model import EM, OLDEST, Service

SETTINGS = ("office", "emergency", "inpatient", "outpatient_surgery", "telehealth")
SYSTEMS = frozenset(
    "any constitutional eyes ent cardiovascular respiratory gastrointestinal genitourinary "
    "musculoskeletal skin neurologic psychiatric endocrine hematologic infectious obstetric "
    "newborn".split()
)
_FIELDS = frozenset(
    "code label says pattern what route settings sex age suits suits_sex systems conditions "
    "lateral units companions em category telehealth_modifier takes_25".split()
)
_EM_FIELDS = frozenset(EM._fields)


def parse(text: bytes, where: str) -> dict[str, Any]:
    """The YAML mapping of ``text``. Raises TableError naming ``where``."""
    import yaml

    try:
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise TableError(f"{where}: no valid YAML: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict):
        raise TableError(f"{where}: must be a mapping")
    return data


def read_services(
    text: bytes,
    where: str,
    mue: Mapping[str, int],
    primaries: Mapping[str, tuple[str, ...]],
) -> tuple[Service, ...]:
    """The services of ``text`` in file order.

    ``mue`` gives the published maximal units, ``primaries`` the codes that an add-on needs.
    Raises TableError (code, field, reason) for anything the model doesn't allow.
    """
    data = parse(text, where)
    patterns = data.get("patterns") or {}
    services: list[Service] = []
    labels: dict[str, str] = {}
    codes: set[str] = set()
    for group in data.get("groups") or ():
        shared = {key: value for key, value in group.items() if key != "services"}
        for row in group.get("services") or ():
            one = _service({**shared, **row}, where, patterns, mue, primaries)
            if one.code in codes:
                raise TableError(f"{where}: {one.code}: stands twice")
            if one.label in labels:
                raise TableError(f"{where}: {one.code}: label: also that of {labels[one.label]}")
            codes.add(one.code)
            labels[one.label] = one.code
            services.append(one)
    if not services:
        raise TableError(f"{where}: holds no services")
    for one in services:
        for other in one.companions:
            if other not in codes:
                raise TableError(f"{where}: {one.code}: companions: {other} isn't in the list")
    return tuple(services)


def _service(
    row: Mapping[str, Any],
    where: str,
    patterns: Mapping[str, Sequence[str]],
    mue: Mapping[str, int],
    primaries: Mapping[str, tuple[str, ...]],
) -> Service:
    code = row.get("code")
    if not isinstance(code, str) or len(code) != 5:
        raise TableError(f"{where}: code: {code!r} must be a text of five characters")

    def fail(field: str, what: str) -> TableError:
        return TableError(f"{where}: {code}: {field}: {what}")

    for key in row:
        if key not in _FIELDS:
            raise fail(key, "no such field")
    if code not in mue:
        raise fail("code", "isn't in mue.csv")
    for field in ("label", "category"):
        if not isinstance(row.get(field), str) or not row[field]:
            raise fail(field, "must be a text")
    settings = _texts(row.get("settings"))
    if not settings or not set(settings) <= set(SETTINGS):
        raise fail("settings", f"must be some of {', '.join(SETTINGS)}")
    systems = _texts(row.get("systems"))
    if not systems or not set(systems) <= SYSTEMS:
        raise fail("systems", f"{row.get('systems')!r} holds an unknown organ system")
    for field in ("sex", "suits_sex"):
        if row.get(field) not in (None, "female", "male"):
            raise fail(field, "must be female or male")
    age = _span(row.get("age"), (0, OLDEST))
    suits = _span(row.get("suits"), age or (0, OLDEST))
    if age is None or suits is None:
        raise fail("age", "age and suits must be [low, high] in years")
    # A group's range for drawing gives way to what the code means.
    suits = (max(suits[0], age[0]), min(suits[1], age[1]))
    if suits[0] > suits[1]:
        raise fail("suits", f"lies outside of age {age}")
    units = row.get("units", 1)
    if type(units) is not int or units < 1 or (mue[code] and units > mue[code]):
        raise fail("units", f"{units!r} must be a whole number from 1 to the MUE {mue[code]}")
    em = _em(row["em"], fail) if row.get("em") is not None else None
    modifier = row.get("telehealth_modifier") or (em.telehealth_modifier if em else None)
    if "telehealth" not in settings:
        modifier = None  # the group's modifier doesn't concern a service held to the office
    elif modifier is None:
        raise fail("telehealth_modifier", "is missing though telehealth is a setting")
    return Service(
        code=code,
        system="CPT" if code[0].isdigit() else "HCPCS",
        label=row["label"],
        category=row["category"],
        says=_says(row, patterns, fail),
        settings=settings,
        sex=row.get("sex"),
        age=age,
        em=em,
        systems=systems,
        # An MUE of 0 says that Medicare doesn't pay for the code, not that one unit is too many.
        units_max=mue[code] or 1,
        needs_primary=primaries.get(code, ()),
        lateral=bool(row.get("lateral", False)),
        conditions=_texts(row.get("conditions")),
        suits_sex=row.get("sex") or row.get("suits_sex"),
        suits=suits,
        units=units,
        companions=_texts(row.get("companions")),
        telehealth_modifier=modifier,
        takes_25=bool(row.get("takes_25", em is not None)),
    )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, list) else ()


def _span(value: Any, default: tuple[int, int]) -> tuple[int, int] | None:
    if value is None:
        return default
    if isinstance(value, list) and len(value) == 2 and 0 <= value[0] <= value[1] <= OLDEST:
        return value[0], value[1]
    return None


def _em(value: Mapping[str, Any], fail: Any) -> EM:
    unknown = set(value) - _EM_FIELDS
    if unknown or not value.get("kind"):
        raise fail("em", f"needs a kind and may not hold {sorted(unknown)}")
    minutes = value.get("minutes")
    return EM(
        kind=value["kind"],
        patient=value.get("patient"),
        level=value.get("level"),
        minutes=(minutes[0], minutes[1]) if minutes else None,
        mdm=value.get("mdm"),
        telehealth_modifier=value.get("telehealth_modifier"),
    )


def _says(
    row: Mapping[str, Any], patterns: Mapping[str, Sequence[str]], fail: Any
) -> tuple[str, ...]:
    if row.get("says"):
        says = _texts(row["says"])
    else:
        pattern, what = row.get("pattern"), row.get("what")
        if not isinstance(pattern, str) or pattern not in patterns or not isinstance(what, str):
            raise fail("says", "needs either sentences or a known pattern with `what`")
        route = row.get("route") or ""
        says = tuple(
            text.replace("{what}", what)
            .replace("{What}", what[0].upper() + what[1:])
            .replace("{route}", route)
            for text in patterns[pattern]
        )
    if len(says) < 4 or len(set(says)) != len(says):
        raise fail("says", "needs four or more different sentences")
    if bool(row.get("lateral")) != any("{side}" in text for text in says):
        raise fail("lateral", "goes with {side} in the sentences")
    return says
