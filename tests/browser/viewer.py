"""What the tests of pages with deals share: all that the viewer promises."""

import json
import subprocess

from pages import axe, check, size
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


def copied(driver, viewer, kind):
    driver.execute_script("arguments[0].querySelector(`[data-act=${arguments[1]}]`).click()", viewer, kind)
    return viewer.get_attribute("data-copied")


def records(driver, config, overtrick):
    """By deal and game: what the page copies is what `replay` prints."""
    for viewer in driver.find_elements(By.CLASS_NAME, "viewer"):
        record = json.loads(copied(driver, viewer, "json"))
        command = copied(driver, viewer, "command").split()
        check(command[:3] == ["overtrick", "replay", "config.toml"], f"the command {command}")
        played = subprocess.run([overtrick, "replay", config, *command[3:], "--format", "json"],
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
    """Through one seat's eyes, hands of others are hidden; through everybody's, all are as dealt. How many dummies
    are seen by others."""
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
    return seen_dummies


def links(driver):
    viewer = driver.find_elements(By.CLASS_NAME, "viewer")[1]
    driver.execute_script("arguments[0].querySelector('[data-act=next]').click()", viewer)
    link = copied(driver, viewer, "link")
    driver.get("about:blank")
    driver.get(link)
    viewer = driver.find_elements(By.CLASS_NAME, "viewer")[1]
    check(viewer.get_attribute("data-step") == "1" and driver.switch_to.active_element == viewer, f"{link} leads nowhere")


def given_away(driver):
    """Tricks given away are told at their step and counted by seat, where all cards are shown and nowhere else. How many
    plays are marked."""
    marked = 0
    for viewer in driver.find_elements(By.CLASS_NAME, "viewer"):
        record = json.loads(copied(driver, viewer, "json"))
        found = driver.execute_script("""
            const [viewer, seats] = arguments, eyes = viewer.querySelectorAll('select')[1], seen = [];
            const text = (name) => viewer.querySelector(name)?.textContent ?? null;
            for (let seat = 0; seat <= seats; seat++) {
                eyes.value = String(seat);
                eyes.dispatchEvent(new Event('change'));
                viewer.querySelector('[data-act=first]').click();
                const steps = [];
                for (const next = viewer.querySelector('[data-act=next]'); !next.disabled;) {
                    next.click();
                    steps.push(text('.said'));
                }
                const items = [...viewer.querySelectorAll('.story .lost')].map((one) => one.textContent);
                seen.push({ steps, items, given: text('.given'), all: viewer.textContent.includes('gives away') });
            }
            eyes.value = '0';
            eyes.dispatchEvent(new Event('change'));
            return seen;""", viewer, record["players"])
        lost = [made.get("given-away", 0) for made in record["moves"]]
        is_judged = any("given-away" in made for made in record["moves"])
        by_seat = [sum(tricks for made, tricks in zip(record["moves"], lost) if made["seat"] == seat)
                   for seat in range(record["players"])]
        told = ", ".join(f"p{seat} {tricks}" for seat, tricks in enumerate(by_seat))
        everybody, *seats = found
        for tricks, said in zip(lost, everybody["steps"], strict=True):
            words = f"gives away {tricks} trick{'' if tricks == 1 else 's'}"
            check(words in said if tricks else "gives away" not in said, f"{tricks} given away: {said}")
        check(len(everybody["items"]) == sum(tricks > 0 for tricks in lost), f"marked are {everybody['items']}")
        counted = f"tricks given away so far: {told}" if is_judged else None
        check(everybody["given"] == counted, f"given away: {everybody['given']} instead of {counted}")
        for seen in seats:
            hidden = not seen["items"] and seen["given"] is None and not seen["all"]
            check(hidden and not any("gives away" in said for said in seen["steps"]), f"a seat is told of tricks given away: {seen}")
        marked += len(everybody["items"])
    return marked


def four_colours(driver):
    """With two colours, suits pair off; with four, no two are alike, and all can be read on light and on dark."""
    viewer = driver.find_elements(By.CLASS_NAME, "viewer")[0]
    switch = viewer.find_element(By.CSS_SELECTOR, "input[type=checkbox]")
    driver.execute_script("arguments[0].querySelector('[data-act=first]').click()", viewer)
    for scheme in ("light", "dark"):
        for colours in (2, 4):
            size(driver, 1600, scheme)
            if switch.is_selected() != (colours == 4):
                switch.send_keys(Keys.SPACE)
            check(switch.is_selected() == (colours == 4), "the switch for four colours cannot be pressed")
            found = driver.execute_script(
                "return [...new Map([...document.querySelectorAll('.cards > div')].map((line) =>"
                " [line.textContent[0], getComputedStyle(line).color]).filter(([suit]) => '♠♥♦♣'.includes(suit)))]")
            check(len(found) == 4 and len({colour for _, colour in found}) == colours, f"{colours} colours are {found}")
            if colours == 4:
                axe(driver, f"four colours, {scheme}")
    switches = driver.find_elements(By.CSS_SELECTOR, ".viewer input[type=checkbox]")
    check(all(one.is_selected() for one in switches), "four colours are not for all deals")
    switch.send_keys(Keys.SPACE)
    size(driver, 1600)
