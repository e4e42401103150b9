"""Debian's Chromium without a window, for tests of pages."""

import os
import time

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service

from patience import PATIENCE


def browser(*words):
    """Starts a browser with these command-line options. CHROMIUM names a browser other than Debian's."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", *words):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def was_replaced(problem):
    """Whether an element of the page did not exist, or no longer existed, so that nothing was done with it."""
    return (isinstance(problem, (NoSuchElementException, StaleElementReferenceException))
            or "does not belong to the document" in (problem.msg or ""))


def steadily(look, may_repeat=lambda problem: True):
    """The result of `look()`, repeated if the driver fails, which happens in many ways while a page is replaced. For
    actions that must not be done twice `may_repeat` says after which failures they may be repeated."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return look()
        except WebDriverException as problem:
            if not may_repeat(problem) or time.monotonic() > end:
                raise
        time.sleep(0.02)
