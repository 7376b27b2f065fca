"""What the tests of pages share: a browser, and what holds for every page."""

import base64
import json
import pathlib
import re

from selenium import webdriver
from selenium.webdriver.common.print_page_options import PrintOptions


def browser(script=True):
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1600,1000"):
        options.add_argument(option)
    options.binary_location = "/usr/bin/chromium"
    if not script:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    # Checks of a large page take as long as the machine takes.
    driver.set_script_timeout(600)
    driver.command_executor.client_config.timeout = 600
    return driver


def check(condition, what):
    if not condition:
        raise SystemExit(f"the page fails: {what}")


def size(driver, width, scheme="light", media="", motion="no-preference"):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def axe(driver, what):
    found = driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, { resultTypes: ['violations'] }).then((r) => done(r.violations.map((v) =>"
        " [v.id, v.nodes.length, v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary.slice(0, 300)])));")
    check(not found, f"axe, {what}: {json.dumps(found, indent=1)}")


def quiet(driver, url):
    """It opens without a word on the console, and asks for nothing."""
    driver.get(url)
    log = driver.get_log("browser")
    check(not log, f"the console has {log}")
    asked = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    asked = [one["params"]["request"]["url"] for one in asked if one["method"] == "Network.requestWillBeSent"]
    check({url.split("#")[0] for url in asked} <= {url}, f"it asks for {asked}")


def charts(driver):
    bare = driver.execute_script(
        "return [...document.querySelectorAll('svg.chart')].filter((svg) =>"
        " svg.getAttribute('role') !== 'img' || !svg.querySelector('title').textContent || !svg.querySelector('desc').textContent"
        " || !(svg.parentElement.querySelector('table') || svg.closest('section').querySelector('table'))).length")
    check(bare == 0, f"{bare} charts lack a name or numbers")


def widths(driver):
    for width in (360, 1600):
        for scheme in ("light", "dark"):
            size(driver, width, scheme)
            wide = driver.execute_script("return document.documentElement.scrollWidth")
            check(wide <= width, f"at {width} pixels it is {wide} wide")
            out = driver.execute_script(
                "return [...document.querySelectorAll('h1, h2, h3, h4, h5, p, li, summary, figcaption, svg.chart text')]"
                ".filter((one) => { const box = one.getBoundingClientRect();"
                " return box.width > 0 && !one.closest('.scroll, pre') && (box.left < -1 || box.right > arguments[0] + 1); })"
                ".map((one) => one.textContent)", width)
            check(not out, f"at {width} pixels these stand out: {out}")
            axe(driver, f"{width} pixels, {scheme}")
    size(driver, 1600)


def printed(driver):
    """On paper: dark on white whatever the screen has, nothing cut off, nothing that is there to be pressed."""
    for scheme in ("light", "dark"):
        size(driver, 718, scheme, "print")
        found = driver.execute_script(
            "const style = (one) => getComputedStyle(one);"
            "const shown = (one) => one.checkVisibility();"
            "const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);"
            "return {ground: style(document.body).backgroundColor, ink: style(document.body).color,"
            " pressed: all('nav, .viewer').length,"
            " cut: all('.scroll, pre, .cards, .story').filter((one) => style(one).overflowX !== 'visible'"
            "   && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1))"
            "   .map((one) => one.textContent.slice(0, 80)),"
            " wide: all('table, svg.chart, pre, p').filter((one) => one.getBoundingClientRect().right > innerWidth + 1)"
            "   .map((one) => one.textContent.slice(0, 80)),"
            " page: document.documentElement.scrollWidth};")
        check(found["ground"] == "rgb(255, 255, 255)" and found["ink"] == "rgb(0, 0, 0)", f"printed, {scheme}: {found}")
        check(found["pressed"] == 0, f"{found['pressed']} parts to be pressed are printed")
        check(not found["cut"] and not found["wide"] and found["page"] <= 718, f"printed it is cut off: {found}")
    size(driver, 1600)


def words(driver):
    """On paper no word is broken; one with hyphens may end a line at these."""
    size(driver, 718, media="print")
    broken = driver.execute_script(
        "const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), broken = [];"
        "while (walker.nextNode()) {"
        "  const text = walker.currentNode, parent = text.parentElement;"
        "  if (!parent.checkVisibility() || parent.closest('svg, script')) continue;"
        "  for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+-*|-+/g)) {"
        "    const range = document.createRange();"
        "    range.setStart(text, index);"
        "    range.setEnd(text, index + word.length);"
        "    if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word);"
        "  }"
        "}"
        "return broken;")
    check(not broken, f"printed, these words are broken: {broken[:20]}")
    size(driver, 1600)


def hints(driver):
    """A table that is cut says that it scrolls, and no other does. At how many places one says so."""
    hinted = 0
    for width in (360, 1280, 1600):
        size(driver, width)
        found = driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "const look = () => done([...document.querySelectorAll('.scroll')].filter((box) => box.checkVisibility()).map((box) => ({"
            "  name: box.getAttribute('aria-label'), right: box.scrollWidth > box.clientWidth + 1,"
            "  down: box.scrollHeight > box.clientHeight + 1,"
            "  said: box.previousElementSibling.checkVisibility() ? box.previousElementSibling.textContent : '' })));"
            # Sizes are observed after a frame, and reported in the next.
            "let frames = 4;"
            "const wait = () => frames-- > 0 ? requestAnimationFrame(wait) : look();"
            "wait();")
        for table in found:
            cut = table["right"] or table["down"]
            says = "scrolls" in table["said"]
            check(cut == says and table["right"] == ("right" in table["said"]), f"at {width} pixels a table says {table}")
            hinted += cut
    size(driver, 1600)
    return hinted


def paper(driver):
    """How many pages it takes, on the paper that takes the most."""
    size(driver, 1600)
    counts = []
    for width, height in ((21.0, 29.7), (21.59, 27.94)):
        options = PrintOptions()
        options.page_width, options.page_height = width, height
        page = base64.b64decode(driver.print_page(options))
        counts.append(len(re.findall(rb"/Type\s*/Page\b", page)))
    return max(counts)


def motion(driver):
    """Nothing moves, least of all for who wants no motion."""
    size(driver, 1600, motion="reduce")
    moving = driver.execute_script(
        "return [...document.querySelectorAll('*')].filter((one) => { const style = getComputedStyle(one);"
        " return style.animationName !== 'none' || style.transitionDuration.split(', ').some((time) => time !== '0s')"
        " || style.scrollBehavior !== 'auto'; }).length + document.getAnimations().length")
    check(moving == 0, f"{moving} parts move")
    size(driver, 1600)


def everywhere(driver, url, axe_file):
    """What holds for every page."""
    quiet(driver, url)
    driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    driver.get(url)
    driver.execute_script(pathlib.Path(axe_file).read_text(encoding="utf-8"))
    for step in (charts, widths, hints, printed, words, motion):
        step(driver)
