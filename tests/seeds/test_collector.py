"""The garbage collector is held back while tables load, and only then."""

from __future__ import annotations

import gc

import pytest

from casegen.seeds.collector import paused


def test_the_collector_goes_on_afterwards_also_after_an_error() -> None:
    assert gc.isenabled()
    with paused():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="broken"), paused():
        raise ValueError("broken")
    assert gc.isenabled()


def test_who_switched_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with paused(), paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
