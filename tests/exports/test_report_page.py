"""A person reads a report in the browser, from a file and without a network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from casegen.exports.report.figures import gather
from casegen.exports.report.page import html
from casegen.exports.report.samples import samples

from .conftest import Exported

webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        DRIVER is None or not Path(CHROMIUM).exists(), reason="needs Chromium and chromedriver"
    ),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
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
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_page_load_timeout(30)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def page(exported: Exported, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the page, with a note that tries to be more than text."""
    figures = gather(exported.folder, exported.manifest, lambda done: None)
    shown = samples(exported.folder, exported.manifest, 8)
    shown[0].row["note"] += "<script>document.title = 'taken'</script><img src=x onerror=alert(1)>"
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html(exported.manifest, figures, shown), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(browser: Any, page: str) -> Iterator[Any]:
    """The page, anew; in the end the browser must have complained of nothing."""
    browser.get(page)
    yield browser
    assert browser.get_log("browser") == []
    loaded = browser.execute_script(
        "return performance.getEntriesByType('resource').map((one) => one.name)"
    )
    assert [name for name in loaded if not name.startswith("data:")] == []


def cases(driver: Any) -> list[Any]:
    """The cases that are seen."""
    return [one for one in driver.find_elements(By.CSS_SELECTOR, "article") if one.is_displayed()]


SMALLEST = """
const sizes = [...document.querySelectorAll('svg text')].map(text => {
  const svg = text.closest('svg'), shown = svg.getBoundingClientRect().width;
  const size = parseFloat(getComputedStyle(text).fontSize);
  return shown ? size * shown / svg.viewBox.baseVal.width : 99;
});
return Math.min(...sizes)"""
CUT_OFF = """
return [...document.querySelectorAll('svg text')].filter(text => {
  const box = text.getBBox(), wide = text.closest('svg').viewBox.baseVal.width;
  return box.width && (box.x < -2 || box.x + box.width > wide + 2);
}).map(text => text.textContent)"""


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_plots_can_be_read_at_any_width_and_nothing_is_wider_than_the_page(
    opened: Any, width: int
) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert opened.execute_script(SMALLEST) > 9
        assert opened.execute_script(CUT_OFF) == []
        assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_page_shows_one_case_at_a_time(opened: Any) -> None:
    (first,) = cases(opened)
    assert first.get_attribute("id") == "case-0"
    assert opened.find_element(By.ID, "place").text == "1 of 24"
    assert not opened.find_element(By.ID, "before").is_enabled()
    opened.find_element(By.ID, "after").click()
    assert [one.get_attribute("id") for one in cases(opened)] == ["case-1"]
    opened.find_element(By.ID, "before").click()
    assert [one.get_attribute("id") for one in cases(opened)] == ["case-0"]


def test_cases_are_picked_by_difficulty(opened: Any) -> None:
    Select(opened.find_element(By.ID, "level")).select_by_value("hard")
    (shown,) = cases(opened)
    assert shown.get_attribute("data-level") == "hard"
    there = len(Select(opened.find_element(By.ID, "case")).options)
    assert 1 < there < 24
    assert opened.find_element(By.ID, "place").text == f"1 of {there}"


def test_markup_in_a_note_is_shown_as_text(opened: Any) -> None:
    (shown,) = cases(opened)
    assert "<script>document.title = 'taken'</script>" in shown.text
    assert opened.title != "taken"
    assert opened.find_elements(By.TAG_NAME, "img") == []


def test_an_episode_is_read_step_by_step_with_keys_alone(opened: Any) -> None:
    summary = opened.find_element(By.CSS_SELECTOR, "#case-0 details[data-agent=expert] summary")
    opened.execute_script("document.getElementById('after').focus()")
    for _ in range(10):
        active = opened.switch_to.active_element
        if active == summary:
            break
        active.send_keys(Keys.TAB)
    else:
        raise AssertionError("no key leads to the episodes")
    active.send_keys(Keys.ENTER)
    acts = opened.find_elements(By.CSS_SELECTOR, "#case-0 details[data-agent=expert] .act")
    assert acts[0].is_displayed()
    assert acts[-1].text == "submit_audit"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_scheme_and_can_be_turned(opened: Any, scheme: str) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    opened.refresh()

    def bright() -> bool:
        told = opened.execute_script("return getComputedStyle(document.body).backgroundColor")
        return int(told.partition("(")[2].partition(",")[0]) > 128

    assert bright() is (scheme == "light")
    opened.find_element(By.ID, "theme").click()
    assert bright() is (scheme == "dark")


@pytest.mark.parametrize("width", [420, 1300])
def test_nothing_stands_out_at_the_side(opened: Any, width: int) -> None:
    opened.set_window_size(width, 900)
    wide = opened.execute_script(
        "const page = document.documentElement; return page.scrollWidth - page.clientWidth"
    )
    assert wide == 0
    opened.set_window_size(1300, 900)


def test_all_figures_are_drawn_and_read_aloud(opened: Any) -> None:
    plots = opened.find_elements(By.CSS_SELECTOR, "figure svg")
    assert len(plots) >= 12
    assert all(plot.size["height"] > 20 for plot in plots)
    outside = opened.execute_script(
        "return [...document.querySelectorAll('svg text')].filter((one) => {"
        "  const box = one.getBBox();"
        "  return box.x < 0 || box.x + box.width > one.ownerSVGElement.viewBox.baseVal.width;"
        "}).map((one) => one.textContent)"
    )
    assert outside == []
    assert all(": " in plot.get_attribute("aria-label") for plot in plots)
