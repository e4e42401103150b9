"""Debian's Chromium without a window, as the tests of pages drive it."""

import os
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

from patience import PATIENCE


def browser(*words):
    """A new one, with these options of the command line. CHROMIUM names another than Debian's."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", *words):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def steadily(look):
    """What `look()` sees. It looks again where the page was replaced meanwhile: the driver has a dozen words for that."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return look()
        except WebDriverException:
            if time.monotonic() > end:
                raise
        time.sleep(0.02)
