"""Opens a page of `overtrick report` in a real browser and tries all that it promises.

    python report.py REPORT.html CONFIG.toml OVERTRICK AXE.min.js

CONFIG is the config.toml of the same results; records that the page gives are compared with what OVERTRICK replays.
"""

import json
import pathlib
import subprocess
import sys

from pages import browser, check, everywhere
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PAGE, CONFIG, OVERTRICK, AXE = sys.argv[1:]
URL = pathlib.Path(PAGE).resolve().as_uri()


def copied(driver, viewer, kind):
    driver.execute_script("arguments[0].querySelector(`[data-act=${arguments[1]}]`).click()", viewer, kind)
    return viewer.get_attribute("data-copied")


def records(driver):
    """By deal and game: what the page copies is what `replay` prints."""
    for viewer in driver.find_elements(By.CLASS_NAME, "viewer"):
        record = json.loads(copied(driver, viewer, "json"))
        command = copied(driver, viewer, "command").split()
        check(command[:3] == ["overtrick", "replay", "config.toml"], f"the command {command}")
        played = subprocess.run([OVERTRICK, "replay", CONFIG, *command[3:], "--format", "json"],
                                check=True, capture_output=True, text=True)
        check(json.loads(played.stdout) == record, f"the record of {command} is another one")


def walk(driver):
    """Goes through a deal by keyboard alone, from the top of the page; then seen by one seat."""
    driver.execute_script("window.scrollTo(0, 0); document.activeElement.blur()")
    for _ in range(400):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        if driver.execute_script("return document.activeElement.classList.contains('viewer')"):
            break
    viewer = driver.switch_to.active_element
    check(viewer.get_attribute("class") == "viewer", "no viewer is reached by keyboard")
    record = json.loads(copied(driver, viewer, "json"))
    driver.execute_script("arguments[0].focus()", viewer)
    moves = len(record["moves"])
    viewer.send_keys(Keys.HOME)
    for step in range(1, moves + 1):
        viewer.send_keys(Keys.ARROW_RIGHT)
        check(viewer.get_attribute("data-step") == str(step), f"step {step} is not reached")
    check("The deal is over" in viewer.find_element(By.CLASS_NAME, "said").text, "the deal does not end")
    viewer.send_keys(Keys.HOME)
    check(viewer.get_attribute("data-step") == "0", "Home does not lead to the beginning")
    viewer.send_keys(Keys.END)
    check(viewer.get_attribute("data-step") == str(moves), "End does not lead to the end")


SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}


def shown(hand):
    """The cards that a hand shows."""
    cards = []
    for line in hand.find_elements(By.CSS_SELECTOR, ".cards > div"):
        words = line.get_attribute("textContent").split()
        if words[0] in SUITS:
            cards += [rank + SUITS[words[0]] for rank in words[1:] if rank != "–"]
        elif words[0] == "jokers":
            cards += words[1:]
    return sorted(cards)


def sight(driver):
    """Through one seat's eyes, hands of others are hidden; through everybody's, all are as dealt."""
    seen_dummies = 0
    for viewer in driver.find_elements(By.CLASS_NAME, "viewer"):
        record = json.loads(copied(driver, viewer, "json"))
        driver.execute_script("arguments[0].querySelector('[data-act=first]').click()", viewer)
        hands = {name: sorted(cards) for name, cards in record["hands"].items()}
        eyes = viewer.find_elements(By.TAG_NAME, "select")[1]
        for seat in range(-1, record["players"]):
            driver.execute_script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))",
                                  eyes, str(seat + 1))
            for hand in viewer.find_elements(By.CLASS_NAME, "hand"):
                name = hand.find_element(By.CLASS_NAME, "who").get_attribute("textContent").split()[0]
                own = seat < 0 or name == f"p{seat}"
                if own:
                    check(shown(hand) == hands[name], f"{record['variant']}: p{seat} sees {shown(hand)} in {name}")
                elif name.startswith("p"):
                    # A card of a hand that was turned up for trumps is seen by all.
                    turned = sorted(set(hands[name]) & set(record["table"].get("up-card", [])))
                    check(shown(hand) == turned, f"{record['variant']}: p{seat} sees {shown(hand)} of {name}")
                elif shown(hand):
                    seen_dummies += 1
        driver.execute_script("arguments[0].value = '0'; arguments[0].dispatchEvent(new Event('change'))", eyes)
    check(seen_dummies > 0, "nobody sees a dummy that lies open")


def links(driver):
    viewer = driver.find_elements(By.CLASS_NAME, "viewer")[1]
    driver.execute_script("arguments[0].querySelector('[data-act=next]').click()", viewer)
    link = copied(driver, viewer, "link")
    driver.get("about:blank")
    driver.get(link)
    viewer = driver.find_elements(By.CLASS_NAME, "viewer")[1]
    check(viewer.get_attribute("data-step") == "1" and driver.switch_to.active_element == viewer, f"{link} leads nowhere")


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


def main():
    driver = browser()
    try:
        everywhere(driver, URL, AXE)
        for step in (records, walk, sight, tables, links):
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
