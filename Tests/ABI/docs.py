#!/usr/bin/env python3
"""Walks through the rendered articles in Chromium, from the root page on, as a reader would.

    docs.py CATALOGUE PAGES [ADDRESS...]

Serves the directory PAGES and prints a line per check. With ADDRESSes below documentation/ it opens those pages
alone and looks for what is dead on them.
"""

import functools
import http.server
import pathlib
import sys
import threading
import urllib.error
import urllib.request
from urllib.parse import unquote, urldefrag

from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / ".ci"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from chromium import browser  # noqa: E402
from markdown_links import headings  # noqa: E402
from patience import PATIENCE  # noqa: E402

# The links and parts of a page, and its anchors.
SEEN = """
const of = (list, name) => [...document.querySelectorAll(list)].map((element) => element[name]);
return {
  title: document.querySelector("h1").textContent.trim(),
  links: of("a[href]", "href"),
  parts: [...of("img[src], script[src]", "src"), ...of("link[href]", "href")],
  anchors: of("[id]", "id"),
};
"""


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a browser that moves on cuts connections that it no longer needs


def told(name, holds, reason=""):
    print(f"{'ok' if holds else 'not ok'} - the rendered articles: {name}", flush=True)
    if not holds:
        print("#   " + str(reason).replace("\n", "\n#   ")[:2000], flush=True)


class Reader:
    def __init__(self, driver, root):
        self.driver, self.root = driver, root
        self.pages = {}  # by address: what was seen there

    def sees(self, title=None):
        """Waits for a title, of the article that is named or of any page."""
        def shown(driver):
            texts = [element.text for element in driver.find_elements(By.TAG_NAME, "h1")]
            return title in texts if title else any(texts)

        waiting = WebDriverWait(self.driver, PATIENCE, ignored_exceptions=[WebDriverException])
        try:
            return waiting.until(shown)
        except TimeoutException:
            return False

    def open(self, address):
        self.driver.get(address)
        self.pages[address] = self.driver.execute_script(SEEN) if self.sees() else None

    def walk(self, address):
        """Opens a page and every page that it leads to."""
        waiting = [address]
        while waiting:
            address = waiting.pop()
            if address in self.pages:
                continue
            self.open(address)
            for link in (self.pages[address] or {"links": []})["links"]:
                page = urldefrag(link).url.rstrip("/")
                if page.startswith(self.root):
                    waiting.append(page)

    @functools.cache
    def is_served(self, address):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, method="HEAD"), timeout=PATIENCE):
                return True
        except urllib.error.URLError:
            return False

    def is_alive(self, link):
        """Whether the file is there, and on a page the anchor."""
        target, anchor = urldefrag(link)
        target = target.rstrip("/")
        if not link.startswith(self.root):
            return link.startswith("https://")
        page = self.pages.get(target) or {"anchors": []}
        return self.is_served(target) and (not anchor or unquote(anchor) in page["anchors"])

    def dead(self):
        """What is referred to and is not there, with a page that does so."""
        lost = {address: "nothing is shown" for address, page in self.pages.items() if page is None}
        for address, page in self.pages.items():
            for link in {*page["links"], *page["parts"]} if page else ():
                if not self.is_alive(link):
                    lost[link] = f"named by {address}"
        return sorted(f"{link}: {reason}" for link, reason in lost.items())


def main():
    catalogue, pages = map(pathlib.Path, sys.argv[1:3])
    chosen = sys.argv[3:]
    titles = {article.stem: headings(article.read_text(encoding="utf-8"))[0] for article in catalogue.glob("*.md")}
    server = Server(("127.0.0.1", 0), functools.partial(Files, directory=pages))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}"
    driver = browser("--window-size=1200,1000")
    try:
        reader = Reader(driver, root)
        if chosen:
            for address in chosen:
                reader.open(f"{root}/documentation/{address}")
        else:
            driver.get(root + "/")
            told("the root page shows its title", reader.sees("wallet_core"), driver.page_source[:500])
            driver.find_element(By.CSS_SELECTOR, "main").find_element(By.LINK_TEXT, titles["architecture"]).click()
            told("a click on the root page opens an article", reader.sees(titles["architecture"]), driver.current_url)

            reader.walk(root + "/documentation/wallet_core")
            seen = {page["title"] for page in reader.pages.values() if page}
            away = sorted(set(titles.values()) - seen)
            told("every article is reached from the root page", not away, "\n".join(away))
        dead = reader.dead()
        told("no link, anchor or part of them is dead", not dead, "\n".join(dead))
        links = sum(len(page["links"]) for page in reader.pages.values() if page)
        print(f"# {len(reader.pages)} pages with {links} links")
    finally:
        driver.quit()


main()
