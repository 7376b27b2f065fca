"""Takes the pictures of the README from a page of `overtrick report`.

    python pictures.py REPORT.html docs/pictures
"""

import base64
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

page, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
options = webdriver.ChromeOptions()
for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
    options.add_argument(option)
options.binary_location = "/usr/bin/chromium"
driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


def take(name, top, bottom):
    """From the top of one element to the bottom of another."""
    box = driver.execute_script(
        "const [a, b] = [arguments[0].getBoundingClientRect(), arguments[1].getBoundingClientRect()];"
        "return [a.left + scrollX, a.top + scrollY, Math.max(a.right, b.right) - a.left, b.bottom - a.top];", top, bottom)
    clip = {"x": box[0] - 10, "y": box[1] - 6, "width": box[2] + 20, "height": box[3] + 12, "scale": 1}
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    (folder / name).write_bytes(base64.b64decode(shot["data"]))


folder.mkdir(parents=True, exist_ok=True)
driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                       {"width": 1080, "height": 900, "deviceScaleFactor": 1, "mobile": False})
driver.get(page.as_uri())
variant = driver.find_element(By.CSS_SELECTOR, ".variant")
take("report.png", variant.find_element(By.TAG_NAME, "h3"),
     variant.find_element(By.CSS_SELECTOR, "[id$=-pairs] .scroll"))
viewer = driver.find_element(By.CSS_SELECTOR, ".viewer")
viewer.send_keys(*[Keys.ARROW_RIGHT] * 22)
take("deal.png", viewer, viewer)
driver.quit()
