"""The notes of the store: unpacked node by node, and the same whoever asks when."""

from __future__ import annotations

import pytest

from casegen.seeds.icd10cm import load, store
from casegen.seeds.icd10cm.store import Notes, Store


@pytest.fixture
def fresh() -> Store:
    return Store(load().store._sections)


def test_notes_are_those_of_their_node(fresh: Store) -> None:
    notes = fresh.notes
    node = fresh.index["E11"]
    assert any(text.startswith("diabetes mellitus due to") for _, text, _, _ in notes[node])
    assert notes.get(node) == notes[node]
    assert node in notes
    assert sorted(notes) == list(notes)
    assert len(notes) == len(list(notes))


def test_a_node_without_notes_has_none(fresh: Store) -> None:
    node = next(n for n in range(len(fresh.stems)) if n not in fresh.notes)
    assert fresh.notes.get(node) is None
    assert fresh.notes.get(node, ()) == ()
    with pytest.raises(KeyError):
        fresh.notes[node]


def test_what_is_remembered_stays_small_and_changes_nothing(
    fresh: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_KEPT", 10)
    notes = fresh.notes
    nodes = list(notes)[:200]
    first = [notes[node] for node in nodes]
    chains = [fresh.chain(node) for node in nodes]
    assert len(notes._read) <= 10
    assert len(fresh._chains) <= 10 + 8  # a line of ancestors may come on top
    assert [notes[node] for node in nodes] == first
    assert [fresh.chain(node) for node in nodes] == chains
    assert isinstance(notes, Notes)
