"""The store of episodes: bounded, expiring, and clear about what it can't do."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from casegen.env.serve.store import (
    EpisodeStore,
    FullError,
    GoneError,
    SeveralError,
    TakenError,
    UnknownEpisodeError,
)


@dataclass
class Room:
    """A store with a clock that the test turns."""

    most: int = 2
    idle: float = 10.0
    now: float = 0.0
    dropped: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store: EpisodeStore[str] = EpisodeStore(
            most=self.most,
            idle=self.idle,
            drop=self.dropped.append,
            last=lambda episode: {"last": episode},
            clock=lambda: self.now,
        )


def test_an_episode_is_found_by_its_id() -> None:
    room = Room()
    held = room.store.add("a", "A", "here")
    assert room.store.get("a") is held
    assert held.episode == "A"


def test_an_id_that_was_never_given_is_unknown() -> None:
    with pytest.raises(UnknownEpisodeError, match="no such episode") as error:
        Room().store.get("b")
    assert error.value.status == 404


def test_a_live_id_is_not_given_twice() -> None:
    room = Room()
    room.store.add("a", "A", "here")
    with pytest.raises(TakenError, match="is live") as error:
        room.store.add("a", "other", "there")
    assert error.value.status == 409
    assert room.store.get("a").episode == "A"


def test_a_full_store_takes_no_more_until_one_ends() -> None:
    room = Room()
    room.store.add("a", "A", "here")
    room.store.add("b", "B", "here")
    with pytest.raises(FullError, match="all 2 places") as error:
        room.store.add("c", "C", "here")
    assert error.value.status == 503
    room.store.end("a", "is over")
    room.store.add("c", "C", "here")
    assert len(room.store) == 2


def test_an_idle_episode_gives_its_place_up_and_says_so() -> None:
    room = Room()
    room.store.add("a", "A", "here")
    room.now = 9.0
    room.store.get("a")
    room.now = 18.0
    room.store.get("a")
    room.now = 28.5
    with pytest.raises(GoneError, match="given up after 10 s"):
        room.store.get("a")
    assert room.dropped == ["A"]
    assert len(room.store) == 0


def test_only_what_is_idle_is_given_up() -> None:
    room = Room()
    room.store.add("a", "A", "here")
    room.now = 5.0
    room.store.add("b", "B", "here")
    room.now = 12.0
    room.store.add("c", "C", "here")
    assert room.dropped == ["A"]
    assert room.store.get("b").episode == "B"


def test_use_keeps_an_episode_from_being_given_up_before_others() -> None:
    room = Room()
    room.store.add("a", "A", "here")
    room.store.add("b", "B", "here")
    room.now = 8.0
    room.store.get("a")
    room.now = 12.0
    room.store.sweep()
    assert room.dropped == ["B"]


def test_an_ended_episode_says_why_and_keeps_its_last_state() -> None:
    room = Room()
    room.store.add("a", "A", "here")
    room.store.end("a", "is over")
    with pytest.raises(GoneError, match="episode a is over; reset begins a new one") as error:
        room.store.get("a")
    assert error.value.status == 409
    ended = room.store.ended("a")
    assert ended is not None
    assert ended.state == {"last": "A"}


def test_what_is_remembered_of_ended_episodes_is_bounded() -> None:
    room = Room()
    for number in range(100):
        room.store.add(f"e{number}", "x", "here")
        room.store.end(f"e{number}", "is over")
    assert sum(room.store.ended(f"e{number}") is not None for number in range(100)) == 8
    with pytest.raises(UnknownEpisodeError):
        room.store.get("e0")


def test_the_only_episode_of_an_address_needs_no_name() -> None:
    room = Room()
    room.store.add("a", "A", "here")
    room.store.add("b", "B", "there")
    assert room.store.only("here").episode == "A"
    assert room.store.only("there").episode == "B"


def test_of_two_at_one_address_a_name_is_asked_for() -> None:
    room = Room()
    room.store.add("a", "A", "here")
    room.store.add("b", "B", "here")
    with pytest.raises(SeveralError, match="send the episode_id") as error:
        room.store.only("here")
    assert error.value.status == 409
    room.store.end("b", "is over")
    assert room.store.only("here").episode == "A"


def test_an_episode_without_an_address_is_found_by_name_alone() -> None:
    room = Room()
    room.store.add("a", "A", None)
    with pytest.raises(GoneError, match="reset begins one"):
        room.store.only("here")
    assert room.store.get("a").episode == "A"


def test_closing_the_store_drops_everything() -> None:
    room = Room()
    room.store.add("a", "A", "here")
    room.store.add("b", "B", None)
    room.store.close()
    assert sorted(room.dropped) == ["A", "B"]
    assert len(room.store) == 0


def test_a_long_life_leaves_nothing_behind() -> None:
    room = Room()
    for number in range(5000):
        room.now += 1
        room.store.sweep()
        if len(room.store) < 2:
            room.store.add(f"e{number}", "x", f"client{number}")
    room.now += 100
    room.store.sweep()
    assert len(room.store) == 0
    assert room.store._of == {}
    assert len(room.store._ended) <= 8
