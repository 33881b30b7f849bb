"""What a recipe may hold, and how an id tells it."""

from __future__ import annotations

import pickle
from types import MappingProxyType
from typing import Any

import pytest

import casegen
from casegen.config import (
    ERROR_TYPES,
    LARGEST_WEIGHT,
    SETTINGS,
    AuditConfig,
    config_from_options,
    options_of,
)
from casegen.schemas import InputError


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("difficulty", "brutal"),
        ("difficulty", ["easy"]),
        ("difficulty", 3),
        ("errors", None),
        ("errors", "ncci_edit"),
        ("errors", ["ncci_edit"]),
        ("errors", [("ncci_edit", 1)]),
        ("errors", {"typo": 1}),
        ("errors", {3: 1}),
        ("errors", {}),
        ("errors", {"ncci_edit": 0}),
        ("clean", True),
        ("clean", "0.1"),
        ("clean", None),
        ("clean", -0.1),
        ("clean", 1.1),
        ("clean", float("nan")),
        ("clean", float("inf")),
        ("settings", "office"),
        ("settings", b"office"),
        ("settings", 5),
        ("settings", None),
        ("settings", ()),
        ("settings", ("home",)),
        ("settings", (1,)),
        ("settings", ([],)),
        ("first_date", "2026-03-31"),
        ("first_date", "2026-04-31"),
        ("first_date", "20260401"),
        ("first_date", "2026-W20-1"),
        ("first_date", None),
        ("last_date", "2026-10-01"),
        ("last_date", "2026-9-30"),
        ("last_date", 20260930),
        ("tables", "my tables"),
        ("tables", ["bundled"]),
    ],
)
def test_a_wrong_value_is_named_where_it_is_given(name: str, value: object) -> None:
    with pytest.raises(InputError) as error:
        AuditConfig(**{name: value})  # type: ignore[arg-type]
    assert error.value.field == name


@pytest.mark.parametrize("weight", [-1, 1.5, True, "1", None, LARGEST_WEIGHT + 1])
def test_a_wrong_weight_is_named(weight: Any) -> None:
    with pytest.raises(InputError) as error:
        AuditConfig(errors={"ncci_edit": weight})
    assert error.value.field == "errors.ncci_edit"


def test_the_window_of_dates_must_not_be_turned_round() -> None:
    with pytest.raises(InputError) as error:
        AuditConfig(first_date="2026-06-02", last_date="2026-06-01")
    assert error.value.field == "first_date"


def test_errors_are_copied() -> None:
    mine = {"ncci_edit": 1}
    config = AuditConfig(errors=mine)
    mine["ncci_edit"] = -1
    assert config.errors == {"ncci_edit": 1}
    assert AuditConfig(errors=MappingProxyType({"ncci_edit": 1})) == config
    assert pickle.loads(pickle.dumps(config)) == config


def test_settings_may_be_any_iterable_and_their_order_says_nothing() -> None:
    for given in (["inpatient", "office"], {"office", "inpatient"}, iter(("inpatient", "office"))):
        config = AuditConfig(settings=given)  # type: ignore[arg-type]
        assert config.settings == ("office", "inpatient")
    assert options_of(AuditConfig(settings=tuple(reversed(SETTINGS)))) == {}


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"difficulty": "expert"},
        {"clean": 1},
        {"clean": 1e-7},
        {"errors": {}, "clean": 1.0},
        {"errors": dict.fromkeys(reversed(ERROR_TYPES), 3)},
        {"errors": {"ncci_edit": 0, "untraceable_code": LARGEST_WEIGHT}},
        {"settings": ("telehealth", "emergency")},
        {"first_date": "2026-05-01", "last_date": "2026-05-01"},
    ],
)
def test_options_tell_the_whole_recipe(config: dict[str, Any]) -> None:
    made = AuditConfig(**config)
    assert config_from_options(options_of(made)) == made


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("clean", "0.10"),
        ("clean", "0.1"),  # the default
        ("clean", "a tenth"),
        ("clean", "nan"),
        ("errors", "ncci_edit"),
        ("errors", "ncci_edit:1,ncci_edit:1"),
        ("errors", "ncci_edit:01"),
        ("errors", "ncci_edit:" + "1" * 5000),
        ("errors", "untraceable_code:1,ncci_edit:1"),
        ("settings", "telehealth,office"),
        ("settings", ""),
        ("settings", "home"),
        ("difficulty", "None"),
        ("first_date", "2026-05-32"),
        ("colour", "red"),
    ],
)
def test_options_that_were_never_written_are_refused(name: str, text: str) -> None:
    with pytest.raises(InputError) as error:
        config_from_options({name: text})
    assert error.value.field.startswith(f"options.{name}")


def test_a_seed_must_be_given() -> None:
    with pytest.raises(InputError) as error:
        casegen.make("audit-v0")
    assert (error.value.field, error.value.value) == ("seed", None)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"seed": True}, "seed"),
        ({"seed": "7"}, "seed"),
        ({"seed": 7, "split": []}, "split"),
        ({"seed": 7, "colour": "red"}, "colour"),
        ({"seed": 7, "name": []}, "name"),
        ({"seed": 7, "name": "audit-v9"}, "name"),
    ],
)
def test_a_wrong_argument_of_make_is_named(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        casegen.make(**{"name": "audit-v0", **arguments})
    assert error.value.field == field
