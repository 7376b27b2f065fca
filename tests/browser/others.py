"""Opens pages of tunings and of sweeps in a real browser and tries all that they promise.

    python others.py AXE.min.js REPORT.html...
"""

import pathlib
import sys

from pages import browser, check, everywhere
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

AXE, *PAGES = sys.argv[1:]


def tables(driver):
    """A table sorts by its numbers as the file has them."""
    heads = driver.find_elements(By.CSS_SELECTOR, "table.data thead th:not(.t) button")
    heads = [head for head in heads if head.is_displayed()]
    check(heads, "there is no table of numbers")
    for head in heads:
        for order in ("ascending", "descending"):
            head.send_keys(Keys.ENTER)
            found = driver.execute_script(
                "const head = arguments[0].closest('th');"
                "const cells = [...head.closest('table').tBodies[0].rows].map((row) => row.cells[head.cellIndex]);"
                "return [head.getAttribute('aria-sort'), cells.map((cell) => parseFloat(cell.dataset.value ?? cell.textContent))"
                ".filter((value) => !isNaN(value))]", head)
            values = sorted(found[1], reverse=order == "descending")
            check(found[0] == order and found[1] == values, f"a table sorts as {found}")


def links(driver):
    """Every link of the contents leads to a part of the page."""
    lost = driver.execute_script(
        "return [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))"
        ".filter((target) => !target.startsWith('#') || !document.getElementById(target.slice(1)))")
    check(not lost, f"these lead nowhere: {lost}")


def main():
    for page in PAGES:
        url = pathlib.Path(page).resolve().as_uri()
        driver = browser()
        try:
            everywhere(driver, url, AXE)
            for step in (tables, links):
                step(driver)
        finally:
            driver.quit()
        driver = browser(script=False)
        try:
            driver.get(url)
            check(not driver.find_elements(By.CSS_SELECTOR, "th button"), "scripts were not off")
            check(driver.find_elements(By.CSS_SELECTOR, ".verdict, .part p")[0].is_displayed(), "no sentence is there without a script")
            numbers = driver.find_element(By.CSS_SELECTOR, "details.numbers")
            numbers.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
            check(numbers.find_element(By.CSS_SELECTOR, "tbody td").is_displayed(), "no numbers are there without a script")
        finally:
            driver.quit()
        print(f"{page} keeps what it promises")


main()
