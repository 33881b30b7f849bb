"""A way of living is coded only where a problem that goes with it is documented (I.C.21.c.14)."""

from __future__ import annotations

import casegen


def test_no_way_of_living_is_coded_from_a_bare_entry() -> None:
    for split in ("train", "test"):
        for case in casegen.make("coding-v0", seed=8124, split=split).cases(0, 300):
            for one in case.gold():
                assert not one.code.startswith(("Z72", "Z73")), (case.id, one.code)
