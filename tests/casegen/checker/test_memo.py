"""What the checker remembers of the tables: bounded, and never in the way of an answer."""

from __future__ import annotations

from casegen.checker.memo import Latest


def test_an_answer_is_worked_out_once_while_it_is_asked_for() -> None:
    asked: list[int] = []

    def square(number: int) -> int:
        asked.append(number)
        return number * number

    latest: Latest[int, int] = Latest(square, size=10)
    for number in range(100):
        assert latest[number] == number * number
        assert latest[0] == 0
    assert asked == list(range(100))


def test_what_nobody_asked_for_of_late_is_let_go() -> None:
    asked: list[int] = []

    def same(number: int) -> int:
        asked.append(number)
        return number

    latest: Latest[int, int] = Latest(same, size=10)
    for number in range(30):
        assert latest[number] == number
    assert len(latest) <= 10
    assert latest[0] == 0
    assert asked.count(0) == 2


def test_no_answer_is_an_answer_too() -> None:
    asked: list[str] = []

    def nothing(word: str) -> None:
        asked.append(word)

    latest: Latest[str, None] = Latest(nothing, size=2)
    assert [latest[word] for word in "abcabab"] == [None] * 7
    assert asked == ["a", "b", "c"]
