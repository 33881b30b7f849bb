"""An error of the user is one line, whatever the value was."""

from __future__ import annotations

import pytest

from casegen.schemas import InputError
from casegen.schemas.errors import printable, shown


def nested(depth: int) -> object:
    value: object = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [nested(200_000), 10**5000, "x" * 10**6, "\x1b[2J\n\0", "\ud800", {"a": nested(3)}],
    ids=["deep", "digits", "long", "control", "surrogate", "small"],
)
def test_any_value_can_be_told(value: object) -> None:
    told = str(InputError("field", value, "mend", path="a\x1bb\nc", line=3))
    assert len(told) < 200
    assert told.isprintable()
    assert told.startswith("a\\x1bb\\nc, line 3: field: ")
    assert told.endswith(": mend")


def test_long_fields_and_mends_are_shortened() -> None:
    assert len(str(InputError("f" * 10**6, 1, "m" * 10**6))) < 1300


def test_what_is_missing_is_not_shown() -> None:
    assert str(InputError("lines", None, "is missing")) == "lines: is missing"
    assert str(InputError("lines", "", "is empty")) == "lines: '': is empty"


def test_what_can_be_seen_stays() -> None:
    text = "Crohn’s disease, 38 °C – “no”"
    assert printable(text) == text
    assert printable("a\nb\x07", keep="\n") == "a\nb\\x07"
    assert printable("\u202e") == "\\u202e"
    assert shown("abc") == "'abc'"
    assert shown("x" * 100) == "'" + "x" * 76 + "..."


def test_a_path_is_told_to_its_end() -> None:
    path = "/data/" + "folder/" * 20 + "pack.json"
    assert str(InputError("file", path, "no such file")) == f"file: '{path}': no such file"
    assert len(shown("/" * 1000)) == 400
