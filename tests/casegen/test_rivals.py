"""Two codes that an Excludes1 note keeps apart are ones that somebody could take for each other."""

from __future__ import annotations

from casegen.felt import is_felt
from casegen.knowledge import reference
from casegen.longtail import parts_of, rivals


def test_rivals_are_of_one_part_of_the_body_and_no_symptoms() -> None:
    tables = reference()[0]
    found = rivals(tables)
    assert len(found) > 200
    for pair in found:
        entries = [tables.tail_of(code) for code in pair]
        assert all(entries)
        one, other = (parts_of(" ".join((e.term, *e.names))) for e in entries if e)
        assert not one or not other or one & other, pair
        assert not any(map(is_felt, pair)), pair
