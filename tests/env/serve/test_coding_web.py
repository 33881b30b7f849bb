"""A person codes in the browser, without writing JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("selenium.webdriver", reason="needs selenium")
from selenium.webdriver.support.ui import Select

from .test_web import Page, pytestmark  # noqa: F401

Served = Any  # see conftest.py


@pytest.fixture
def page(coding_server: Served) -> Iterator[Any]:
    opened = Page(coding_server.url)
    yield opened
    opened.driver.quit()


def fill(page: Any, primary: str, secondary: list[str], review: bool) -> None:
    """Fill in the form of the draft and send it."""
    (box,) = page.all("#forms details")
    if box.get_attribute("open") is None:
        box.find_element("tag name", "summary").click()
    Select(page.one("[name=primary_code]")).select_by_value(primary)
    for one in page.all("[name=secondary_codes]"):
        if one.is_selected() != (one.get_attribute("value") in secondary):
            one.click()
    flag = page.one("[name=needs_review]")
    if flag.is_selected() != review:
        flag.click()
    page.one("#forms button[type=submit]").click()


def test_a_person_codes_a_case_to_its_score(page: Any) -> None:
    page.start("hard_chest_pain_review")
    assert "59 years old" in page.text("[data-note]")
    assert "R94.31" in page.text(".codes table")
    page.press("Ask for a hint")
    page.acted(1)
    assert "Ask of each diagnosis" in page.text(".hints")
    fill(page, "R07.9", ["R94.31", "R94.30"], True)
    page.acted(2)
    assert "Best score so far: 0.95" in page.text(".result")
    assert "R94.30, R94.31" in page.text(".draft")
    fill(page, "R07.9", ["R94.31"], True)
    page.acted(3)
    assert "Best score so far: 1.00" in page.text(".result")
    page.press("Submit the draft")
    page.until(lambda: page.all("p.score"))
    assert page.text("p.score").startswith("1.000")
    assert page.errors() == []
