"""Opens a page of `overtrick report` in a real browser and tries all that it promises.

    python report.py REPORT.html CONFIG.toml OVERTRICK AXE.min.js

CONFIG is the config.toml of the same results; records that the page gives are compared with what OVERTRICK replays.
"""

import re
import pathlib
import sys

import viewer
from pages import browser, check, everywhere, hints, paper, size
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PAGE, CONFIG, OVERTRICK, AXE = sys.argv[1:]
URL = pathlib.Path(PAGE).resolve().as_uri()


def tables(driver):
    head = driver.find_element(By.CSS_SELECTOR, "section[id$='-bots'] > .scroll table.data thead th:nth-child(3) button")
    for order in ("ascending", "descending"):
        head.send_keys(Keys.ENTER)
        found = driver.execute_script(
            "const head = arguments[0].closest('th'); return [head.getAttribute('aria-sort'),"
            " [...head.closest('table').tBodies[0].rows].map((row) => Number(row.cells[2].dataset.value))]", head)
        check(found[0] == order and found[1] == sorted(found[1], reverse=order == "descending"), f"a table sorts as {found}")
    name = driver.find_element(By.CSS_SELECTOR, "bdi[role=button]")
    name.send_keys(Keys.ENTER)
    lit = driver.execute_script("return [...document.querySelectorAll('.hl')].map((one) => one.dataset.bot)")
    check(len(lit) > 10 and set(lit) == {name.get_attribute("data-bot")}, f"highlighted are {set(lit)}")
    name.send_keys(Keys.ENTER)


def summary(driver):
    """One table over all variants comes before everything else, in the first screen."""
    size(driver, 1280)
    found = driver.execute_script(
        "const first = document.querySelector('main section.run > section');"
        "const rows = [...first.querySelector('table.data').tBodies[0].rows];"
        "return {id: first.id, tables: document.querySelector('table.data').closest('section').id,"
        " bottom: first.querySelector('table.data').getBoundingClientRect().bottom + scrollY,"
        " rows: rows.map((row) => row.cells[0].textContent),"
        " led: rows.map((row) => document.querySelector(row.querySelector('a').hash + '-h').textContent),"
        " variants: [...document.querySelectorAll('section.variant > h3')].map((head) => head.textContent)};")
    check(found["id"].endswith("-summary") and found["tables"] == found["id"], f"what comes first is {found['id']}")
    check(found["rows"] == found["variants"] == found["led"], f"the summary has {found['rows']} and leads to {found['led']}")
    check(found["bottom"] <= 900, f"the summary ends at {found['bottom']} pixels")
    size(driver, 1600)


def best_deals(driver):
    """The first deal of each variant is between its two best."""
    found = driver.execute_script(
        "return [...document.querySelectorAll('section.variant')].map((variant) => ({"
        "  best: [...variant.querySelectorAll(`[id='${variant.id}-bots'] > .scroll tbody th`)].slice(0, 2).map((name) => name.dataset.bot),"
        "  why: variant.querySelector('article.deal p').textContent}))")
    for variant in found:
        between = re.search(r", (.+) scored .* points more than (.+): rank ", variant["why"])
        check(sorted(between.groups()) == sorted(variant["best"]), f"the first deal is {variant}")


def main():
    driver = browser()
    try:
        everywhere(driver, URL, AXE)
        check(hints(driver) > 0, "no table is cut at any width, so that hints were not tried")
        pages = paper(driver)
        check(pages < 12, f"it takes {pages} pages in print")
        summary(driver)
        best_deals(driver)
        viewer.records(driver, CONFIG, OVERTRICK)
        check(viewer.sight(driver) > 0, "nobody sees a dummy that lies open")
        for step in (viewer.walk, viewer.four_colours, tables, viewer.links, viewer.given_away):
            step(driver)
    finally:
        driver.quit()
    driver = browser(script=False)
    try:
        driver.get(URL)
        check(not driver.find_elements(By.CLASS_NAME, "viewer"), "scripts were not off")
        check(driver.find_elements(By.CLASS_NAME, "verdict")[0].is_displayed(), "no sentence is there without a script")
        game = driver.find_element(By.CSS_SELECTOR, "details.game")
        game.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
        text = game.find_element(By.TAG_NAME, "pre").text
        check("deal" in text and " 1. " in text, f"a deal reads {text!r}")
    finally:
        driver.quit()
    print("the page keeps what it promises")


main()
