"""Debian's Chromium without a window, as the tests of pages drive it."""

import os
import time

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
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


def was_replaced(problem):
    """Whether an element of the page was not there, or not any more, so that nothing was done with it."""
    return (isinstance(problem, (NoSuchElementException, StaleElementReferenceException))
            or "does not belong to the document" in (problem.msg or ""))


def steadily(look, may_repeat=lambda problem: True):
    """What `look()` sees. It looks again where the driver fails, as it does in many ways while a page is replaced;
    what cannot be done twice says by `may_repeat` after which failures."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return look()
        except WebDriverException as problem:
            if not may_repeat(problem) or time.monotonic() > end:
                raise
        time.sleep(0.02)
