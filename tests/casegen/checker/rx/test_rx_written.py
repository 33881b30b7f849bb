"""What a prescriber wrote is read exactly, or not at all."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casegen.checker.rx import read_dose, read_frequency
from casegen.checker.rx.amounts import given as given_of
from casegen.checker.rx.amounts import over, shown
from casegen.checker.rx.often import Frequency
from casegen.checker.rx.written import Dose, Unread
from casegen.seeds.rx.loader import load

RX = load()
D = Decimal


def read(text: str, drug: str, form: str = "", strength: str = "") -> Dose:
    found = read_dose(text, RX.drugs[drug], form, strength)
    assert isinstance(found, Dose), found
    return found


@pytest.mark.parametrize(
    ("text", "drug", "amounts", "unit"),
    [
        ("2400 mg", "ibuprofen", ["2400"], "mg"), ("1,000 mg", "acetaminophen", ["1000"], "mg"),
        ("2 tablets of 5/325 mg", "hydrocodone-acetaminophen", ["10", "650"], "mg"),
        ("5-325 mg", "hydrocodone-acetaminophen", ["5", "325"], "mg"),
        ("800/160 mg", "trimethoprim-sulfamethoxazole", ["160", "800"], "mg"),
        ("875 mg", "amoxicillin-clavulanate", ["875", "125"], "mg"),
        ("10 units", "insulin-glargine", ["10"], "units"),
        ("20 mEq", "potassium-chloride", ["20"], "mEq"),
        ("0.5 mL", "insulin-glargine", ["50"], "units"), ("1 g", "cefazolin", ["1"], "g"),
        ("5 mL of 250 mg/5 mL", "amoxicillin", ["250"], "mg"),
        ("250 mg/5 mL, 10 mL", "amoxicillin", ["500"], "mg"),
        ("half a tablet of 5 mg", "warfarin", ["2.5"], "mg"),
        ("one 600 mg tablet", "ibuprofen", ["600"], "mg"), ("2 puffs", "albuterol", ["180"], "mcg"),
        ("100 \u00b5g", "levothyroxine", ["100"], "mcg"), (".5 mg", "clonazepam", ["0.5"], "mg"),
        ("10U", "insulin-glargine", ["10"], "units"), ("25 mcg/hr", "fentanyl", ["25"], "mcg/h"),
        ("1 tablet", "gemfibrozil", ["600"], "mg"),
    ],
)  # fmt: skip
def test_a_dose_is_read_exactly(text: str, drug: str, amounts: list[str], unit: str) -> None:
    dose = read(text, drug)
    assert [*dose.high] == [D(one) for one in amounts]
    assert dose.unit == unit


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("1 tablet", "ibuprofen"), ("some", "ibuprofen"), ("", "ibuprofen"), ("500", "metformin"),
        ("mg", "metformin"), ("5-7 mg", "hydrocodone-acetaminophen"), ("-5 mg", "warfarin"),
        ("1.2.3 mg", "warfarin"), ("10 mg and 20 mg", "warfarin"), ("5/325 mg", "warfarin"),
    ],
)  # fmt: skip
def test_what_can_not_be_read_whole_is_not_read(text: str, drug: str) -> None:
    assert isinstance(read_dose(text, RX.drugs[drug]), Unread)


def test_the_strength_behind_the_name_tells_what_a_tablet_is() -> None:
    assert read("2 tablets", "hydrocodone-acetaminophen", strength="5/325").high == (D(10), D(650))
    assert read("6.5 mL", "amoxicillin", strength="400 mg/5 mL").high == (D(520),)


def test_a_range_keeps_both_ends() -> None:
    dose = read("1-2 tablets of 5/325 mg", "hydrocodone-acetaminophen")
    assert (dose.low, dose.high) == ((D(5), D(325)), (D(10), D(650)))
    assert read("500 to 1000 mg", "metformin").low == (D(500),)


def test_a_dose_by_weight_and_day_brings_its_frequency() -> None:
    dose = read("90 mg/kg/day divided BID", "amoxicillin")
    assert dose.by_weight
    assert dose.a_day
    assert dose.often == Frequency(2, 2, 1)
    assert read("45 mg/kg", "amoxicillin").a_day is False


@pytest.mark.parametrize(
    ("text", "often"),
    [
        ("TID", (3, 3, 1)), ("b.i.d.", (2, 2, 1)), ("QID", (4, 4, 1)), ("nightly", (1, 1, 1)),
        ("q12h", (2, 2, 1)), ("every 6 hours", (4, 4, 1)), ("every 36 hours", (2, 2, 3)),
        ("once weekly", (1, 1, 7)), ("every Monday", (1, 1, 7)), ("twice weekly", (2, 2, 7)),
        ("every other day", (1, 1, 2)), ("monthly", (1, 1, 30)), ("every 2 weeks", (1, 1, 14)),
        ("every 4 to 6 hours", (4, 6, 1)), ("q4-6h", (4, 6, 1)), ("QD", (1, 1, 1)),
        ("three times a day with meals", (3, 3, 1)), ("in 3 divided doses", (3, 3, 1)),
        ("BID for 10 days", (2, 2, 1)), ("every 8 hours for 7 days", (3, 3, 1)),
        ("once daily in the morning", (1, 1, 1)), ("before meals and at bedtime", (4, 4, 1)),
    ],
)  # fmt: skip
def test_a_frequency_is_read_exactly(text: str, often: tuple[int, int, int]) -> None:
    found = read_frequency(text)
    assert found is not None
    assert (found.fewest, found.most, found.days) == often


def test_as_needed_keeps_its_limits() -> None:
    assert read_frequency("every 4 hours as needed, max 4 a day") == Frequency(4, 4, 1, True)
    assert read_frequency("every 4 hours prn, max 8 tablets/day") == Frequency(
        6, 6, 1, True, False, 8
    )
    assert read_frequency("as needed, no more than 3 doses a day") == Frequency(0, 3, 1, True)


@pytest.mark.parametrize(
    "text", ["", "as needed", "often", "every blue moon", "1 tablet daily", "q0h"]
)
def test_a_frequency_that_can_not_be_read_whole_is_not_read(text: str) -> None:
    assert read_frequency(text) is None


# --- exact arithmetic

numbers = st.decimals(min_value="0.001", max_value="99999", places=3)


@given(numbers)
def test_grams_milligrams_and_micrograms_are_one_amount(value: Decimal) -> None:
    often = Frequency(1, 1, 1)
    grams = given_of(Dose((value,), (value,), "g"), often, 0, None)
    assert grams is not None
    milligrams = grams.in_unit(RX, "mg")
    micrograms = grams.in_unit(RX, "mcg")
    assert milligrams is not None
    assert micrograms is not None
    assert milligrams.high == value * 1000
    assert micrograms.high == value * 1_000_000
    back = micrograms.in_unit(RX, "g")
    assert back is not None
    assert back.high == value


@given(numbers)
def test_pounds_are_kilograms_by_the_exact_factor(pounds: Decimal) -> None:
    assert RX.conversions["lb", "kg"] * 100_000_000 == 45_359_237
    kilograms = pounds * RX.conversions["lb", "kg"]
    assert kilograms * 100_000_000 == pounds * 45_359_237


@pytest.mark.parametrize("unit", ["units", "mEq", "mcg/h", "puffs"])
def test_units_and_milliequivalents_are_never_milligrams(unit: str) -> None:
    dose = given_of(Dose((D(1),), (D(1),), unit), Frequency(1, 1, 1), 0, None)
    assert dose is not None
    assert dose.in_unit(RX, "mg") is None
    assert dose.in_unit(RX, unit) == dose


@given(numbers, st.integers(1, 24), st.decimals(min_value="1", max_value="200", places=2))
def test_a_dose_by_weight_is_dose_times_weight(value: Decimal, times: int, weight: Decimal) -> None:
    often = Frequency(times, times, 1)
    each = given_of(Dose((value,), (value,), "mg", True), often, 0, weight)
    a_day = given_of(Dose((value,), (value,), "mg", True, True), often, 0, weight)
    assert each is not None
    assert a_day is not None
    assert each.total(1) == value * weight * times
    assert a_day.total(1) == value * weight
    assert not over(a_day.single() * times, a_day.total(1))
    assert not over(a_day.total(1), a_day.single() * times)


@given(numbers, st.integers(1, 48))
def test_every_so_many_hours_gives_24_doses_in_so_many_days(value: Decimal, hours: int) -> None:
    often = read_frequency(f"every {hours} hours")
    assert often is not None
    assert often.most * hours == 24 * often.days
    got = given_of(Dose((value,), (value,), "mg"), often, 0, None)
    assert got is not None
    assert got.total(hours) == value * 24


@settings(max_examples=200)
@given(st.decimals(min_value="0.01", max_value="9999", places=2))
def test_a_written_number_is_that_number(value: Decimal) -> None:
    dose = read(f"{shown(value)} mg", "ibuprofen")
    assert dose.high == (value,)


def test_a_dose_at_its_limit_is_not_over_it() -> None:
    assert not over(D("0.1") * 3, D("0.3"))
    assert over(D("0.300001"), D("0.3"))
    # 5 mL of 160 mg/7.5 mL three times are 320 mg, though each is no finite number
    assert not over(D(160) * 5 / D("7.5") * 3, D(320))


@given(st.text(max_size=60))
def test_any_text_is_read_or_left(text: str) -> None:
    read_frequency(text)
    for drug in ("ibuprofen", "hydrocodone-acetaminophen", "insulin-glargine"):
        assert isinstance(read_dose(text, RX.drugs[drug]), Dose | Unread)
