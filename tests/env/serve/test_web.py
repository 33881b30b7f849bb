"""A person plays in the browser, without writing JSON."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
from selenium.common.exceptions import StaleElementReferenceException  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

Served = Any  # see conftest.py
CHROMIUM = "/usr/bin/chromium"
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        DRIVER is None or not Path(CHROMIUM).exists(), reason="needs Chromium and chromedriver"
    ),
]


class Page:
    """A page in a browser of its own, with its own cookies."""

    def __init__(self, url: str) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1300,900",
        ):
            options.add_argument(argument)
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
        self.driver.set_page_load_timeout(30)
        self.driver.get(url)
        self.until(lambda: self.all("#task option"))

    def until(self, holds: Any) -> Any:
        """Wait for it."""
        # What is redrawn between a look and the next is looked for again.
        again = [StaleElementReferenceException]
        return WebDriverWait(self.driver, 15, 0.1, again).until(lambda _: holds())

    def all(self, selector: str) -> list[Any]:
        """The elements that fit."""
        found: list[Any] = self.driver.find_elements(By.CSS_SELECTOR, selector)
        return found

    def one(self, selector: str) -> Any:
        """The element that fits."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """What stands in it."""
        told: str = self.one(selector).text
        return told

    def start(self, label: str) -> None:
        """Choose a case and begin."""
        Select(self.one("#task")).select_by_visible_text(label)
        self.one("#choose button").click()
        self.until(lambda: self.all("[data-note]") and "0 of " in self.text(".steps"))

    def acted(self, steps: int) -> None:
        """Wait until so many steps are taken."""
        self.until(lambda: self.text(".steps").startswith(f"{steps} of "))

    def press(self, label: str) -> None:
        """The button of that label."""
        (button,) = [b for b in self.all("#buttons button") if b.text == label]
        button.click()

    def form(self, act: str) -> Any:
        """The form of an act, opened."""
        form = self.one(f'form[data-act="{act}"]')
        box = form.find_element(By.XPATH, "..")
        if box.get_attribute("open") is None:
            box.find_element(By.TAG_NAME, "summary").click()
        return form

    def errors(self) -> list[str]:
        """What the browser complained about."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture
def pages(server: Served) -> Iterator[Any]:
    """Opens pages, and closes them."""
    opened: list[Page] = []

    def opens() -> Page:
        opened.append(Page(server.url))
        return opened[-1]

    yield opens
    for page in opened:
        page.driver.quit()


def test_a_person_plays_an_audit_to_its_score(pages: Any) -> None:
    page = pages()
    assert page.driver.current_url.endswith("/web/")
    page.start("easy_demographic")
    assert "34 years" in page.text(".patient")
    assert "34-year-old man" in page.text("[data-note]")
    assert "O80" in page.text(".claim table")
    page.press("Look up O80")
    page.acted(1)
    assert "looked up" in page.text(".claim")
    assert not [b for b in page.all("#buttons button") if b.text == "Look up O80"]

    form = page.form("flag_error")
    Select(form.find_element(By.NAME, "code")).select_by_value("O80")
    Select(form.find_element(By.NAME, "error_type")).select_by_value("demographic_mismatch")
    form.find_element(By.NAME, "justification").send_keys("a <b>male</b> patient can't deliver")
    form.find_element(By.TAG_NAME, "button").click()
    page.acted(2)
    assert "a <b>male</b> patient can't deliver" in page.text(".draft")
    assert page.all(".draft b") == []

    page.press("Submit the audit")
    page.until(lambda: page.all("p.score"))
    assert float(page.text("p.score").split()[0]) > 0.9
    assert not page.one("#acts").is_displayed()
    assert page.errors() == []


def test_words_selected_in_the_note_become_evidence_and_are_marked(pages: Any) -> None:
    page = pages()
    page.start("easy_demographic")
    page.driver.execute_script(
        """
        const text = document.querySelector("[data-note]").firstChild;
        const at = text.data.indexOf("34-year-old man");
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + "34-year-old man".length);
        const selection = document.getSelection();
        selection.removeAllRanges();
        selection.addRange(range);
        """
    )
    form = page.form("extract_evidence")
    field = form.find_element(By.NAME, "evidence_text")
    page.until(lambda: field.get_attribute("value") == "34-year-old man")
    form.find_element(By.TAG_NAME, "button").click()
    page.acted(1)
    assert [mark.text for mark in page.all("[data-note] mark")] == ["34-year-old man"]


def test_an_act_that_can_t_be_carried_out_says_why(pages: Any) -> None:
    page = pages()
    page.start("easy_demographic")
    form = page.form("extract_evidence")
    form.find_element(By.NAME, "evidence_text").send_keys("words that no note holds")
    form.find_element(By.TAG_NAME, "button").click()
    page.acted(1)
    assert "does not hold these words" in page.text("p.wrong")


def test_two_people_never_share_an_episode(pages: Any) -> None:
    one, other = pages(), pages()
    one.start("easy_demographic")
    other.start("medium_excludes1")
    one.press("Look up O80")
    one.acted(1)
    assert other.text(".steps").startswith("0 of ")
    assert "J44.1" in other.text(".claim")
    other.press("Look up J44.1")
    other.acted(1)
    one.press("Look up E11.9")
    one.acted(2)


def test_a_page_that_is_loaded_anew_goes_on_where_it_was(pages: Any) -> None:
    page = pages()
    page.start("easy_demographic")
    page.press("Look up O80")
    page.acted(1)
    page.driver.refresh()
    page.until(lambda: page.all(".steps"))
    page.acted(1)
    assert "looked up" in page.text(".claim")


def test_a_page_that_is_loaded_anew_after_the_end_still_shows_the_score(pages: Any) -> None:
    page = pages()
    page.start("easy_demographic")
    page.press("Submit the audit")
    page.until(lambda: page.all("p.score"))
    score = page.text("p.score")
    for _ in range(2):
        page.driver.refresh()
        page.until(lambda: page.all("p.score"))
        assert page.text("p.score") == score
        assert "34-year-old man" in page.text("[data-note]")
        assert not page.one("#acts").is_displayed()
    page.start("medium_excludes1")
    assert page.all("p.score") == []
    page.driver.refresh()
    page.until(lambda: page.all(".steps"))
    assert "J44.1" in page.text(".claim")


def test_a_note_that_goes_on_below_shows_it(pages: Any) -> None:
    page = pages()
    page.driver.set_window_size(1200, 700)
    page.start("a new case, expert")
    height, whole, bar, end, seen = page.driver.execute_script(
        """
        const note = document.querySelector("[data-note]");
        return [note.clientHeight, note.scrollHeight, note.offsetWidth - note.clientWidth,
                note.getBoundingClientRect().bottom, innerHeight];
        """
    )
    assert whole > height
    assert bar > 0
    assert end < seen


def test_the_page_can_be_played_with_keys_alone(pages: Any) -> None:
    page = pages()
    page.one("#task").send_keys(Keys.HOME)
    page.one("#task").send_keys(Keys.TAB, Keys.ENTER)
    page.until(lambda: page.all(".steps"))
    for _ in range(40):
        active = page.driver.switch_to.active_element
        if active.text == "Submit the audit":
            break
        active.send_keys(Keys.TAB)
    else:
        raise AssertionError("no key leads to the button that submits")
    active.send_keys(Keys.ENTER)
    page.until(lambda: page.all("p.score"))
    assert page.driver.switch_to.active_element.text == "Score"


def test_an_episode_that_the_server_gave_up_is_told(pages: Any, server: Served) -> None:
    page = pages()
    page.start("easy_demographic")
    episode = page.driver.execute_script("return sessionStorage.getItem('casegen-episode')")
    assert server.post("/close", json={"episode_id": episode}).status_code == 200
    page.press("Look up O80")
    page.until(lambda: page.one("#complaint").is_displayed())
    assert "was closed; reset begins a new one" in page.text("#complaint")
