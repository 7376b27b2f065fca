"""Opens pages of `overtrick replay --html` in a real browser and tries all that they promise.

    python deals.py AXE.min.js OVERTRICK CONFIG.toml PAGE.html RECORDS.jsonl RECORDS_PAGE.html

PAGE has deals of CONFIG and was made with --analyse, RECORDS_PAGE shows the records of RECORDS.
"""

import json
import pathlib
import sys

import viewer
from pages import browser, check, everywhere
from selenium.webdriver.common.by import By

AXE, OVERTRICK, CONFIG, PAGE, RECORDS, RECORDS_PAGE = sys.argv[1:]


def url(page):
    return pathlib.Path(page).resolve().as_uri()


def deals(driver):
    everywhere(driver, url(PAGE), AXE)
    viewer.records(driver, CONFIG, OVERTRICK)
    for step in (viewer.walk, viewer.sight, viewer.four_colours, viewer.links):
        step(driver)
    check(viewer.given_away(driver) > 0, "no play is marked")


def records(driver):
    everywhere(driver, url(RECORDS_PAGE), AXE)
    shown = [json.loads(viewer.copied(driver, one, "json")) for one in driver.find_elements(By.CLASS_NAME, "viewer")]
    written = [json.loads(line) for line in pathlib.Path(RECORDS).read_text(encoding="utf-8").splitlines()]
    check(shown == written, "its records are not those of the file")
    check(not driver.find_elements(By.CSS_SELECTOR, "[data-act=command]"), "a record without a config has a command")


def main():
    for page in (records, deals):
        driver = browser()
        try:
            page(driver)
        finally:
            driver.quit()
    driver = browser(script=False)
    try:
        driver.get(url(PAGE))
        check(not driver.find_elements(By.CLASS_NAME, "viewer"), "scripts were not off")
        for text in driver.find_elements(By.CSS_SELECTOR, "details.game pre"):
            check(text.is_displayed() and " 1. " in text.text and "given away: p0 " in text.text, f"a deal reads {text.text!r}")
    finally:
        driver.quit()
    print("the pages of deals keep what they promise")


main()
