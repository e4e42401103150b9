"""The page of the phone in the browser, for its test."""

import contextlib
import http.client
import json
import pathlib
import sys
import time
from urllib.parse import urlsplit

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from report import about

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from patience import PATIENCE  # noqa: E402

# The roles of controls for screen readers. Elements with these roles must have a name.
CONTROLS = {
    "button", "checkbox", "combobox", "link", "menuitem", "option", "radio", "searchbox", "slider", "spinbutton",
    "switch", "tab", "textbox", "DisclosureTriangle", "alertdialog", "dialog",
}

# Finds text whose contrast with its background is too low (WCAG 2.1, AA).
CONTRAST = """
const channel = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
const found = [];
for (const element of document.querySelectorAll("body *")) {
  const words = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  if (!words || box.width < 2 || element.closest("[inert], :disabled, option, title, .launcher, .card")) continue;
  const over = document.querySelector(".over");
  if (over && element.closest(".screen")) continue; // dimmed by what covers it
  const isDrawn = element.namespaceURI.endsWith("svg");
  let behind = isDrawn && element.closest(".node") ? element.closest(".node").querySelector(".box") : element;
  let ground = isDrawn && behind !== element ? rgb(getComputedStyle(behind).fill) : null;
  while (!ground && behind) {
    const colour = rgb(getComputedStyle(behind).backgroundColor);
    if (colour.length === 3 || colour[3] > 0.99) ground = colour;
    behind = behind.parentElement;
  }
  const [a, b] = [light(rgb(isDrawn ? style.fill : style.color)), light(ground ?? [255, 255, 255])];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const isLarge = parseFloat(style.fontSize) >= 24;
  if (contrast < (isLarge ? 3 : 4.5)) found.push(`${contrast.toFixed(2)} ${words.slice(0, 30)}`);
}
return found;
"""


# The focused element, and whether a user sees the focus: it is in view and has an outline.
FOCUSED = """
const element = document.activeElement, box = element.getBoundingClientRect();
const style = getComputedStyle(element), part = element.closest(".top, .world, .column");
return {
  name: element.id || element.dataset.action || element.textContent.trim().slice(0, 30) || element.tagName,
  is_there: element.matches(arguments[0]),
  part: part ? part.id || part.className : "",
  is_seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
    && box.bottom > 0 && box.top < innerHeight,
};
"""


told = about("the phone in the browser")


class Lost(Exception):
    """The page did not reach the expected state."""


class Page:
    def __init__(self, driver, url, pictures):
        self.driver, self.pictures = driver, pathlib.Path(pictures)
        self.typed = set()  # PINs
        self.unnamed = set()
        self.faint = set()
        self.unlit = []
        self.size(1600, 1000)
        driver.get(url)

    # --- looking -----------------------------------------------------------------------------------

    def size(self, width, height, scale=1):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})

    def theme(self, name):
        """Sets the system's theme, "light" or "dark". Motion is reduced, so that pictures do not depend on the time."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def shoot(self, name):
        self.driver.save_screenshot(str(self.pictures / f"{name}.png"))

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """The text of all elements that match, including hidden parts."""
        script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent).join('\\n')"
        return self.driver.execute_script(script, selector)

    def until(self, what, holds, patience=PATIENCE):
        """Waits until `holds` is true. Returns its value."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            try:
                if value := holds():
                    return value
            except WebDriverException:
                pass
            time.sleep(0.03)
        self.shoot("lost")
        raise Lost(f"{what}; the row is {self.text('#row-id')}, {self.text('#step-name')}")

    def await_(self, selector):
        return self.until(f"no {selector}", lambda: self.all(selector))[0]

    def expect(self, row, name):
        """Waits for a step. The heading, the lit row and the event on the wire must show it."""
        self.until(f"{row} {name} does not come", lambda: self.text("#row-id") == row
                   and self.text("#step-name").startswith(f"{name} ") and self.is_drawn(name))
        lit = self.driver.execute_script(
            "return [...document.querySelectorAll('.node.lit')].map((each) => each.dataset.row).join()")
        event = self.driver.execute_script(
            "return [...document.querySelectorAll('li.line.event .what')].map((each) => each.textContent)"
            ".filter((words) => /^(UC|PF|EF)/.test(words)).pop()")
        if (lit, event) != (row.split()[1], f"{row} {name}"):
            self.unlit.append(f"{row} {name}: lit {lit}, event {event}")
        self.look()

    def is_drawn(self, name):
        steps = self.driver.execute_script(
            "return [...document.querySelectorAll('#phone [data-step]:not([inert])')]"
            ".map((each) => each.dataset.step)")
        return name in steps or bool(self.all(".launcher"))

    def look(self):
        """Notes controls without a name and text that is too faint."""
        for node in self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]:
            role, name = node.get("role", {}).get("value"), node.get("name", {}).get("value", "")
            if role in CONTROLS and not node.get("ignored") and not name.strip():
                self.unnamed.add(f"{self.text('#row-id')}: {role} {json.dumps(node.get('properties', []))[:120]}")
        self.faint |= {f"{self.text('#row-id')}: {found}" for found in self.driver.execute_script(CONTRAST)}

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def wire(self):
        """All text of the wire column, including folded lines, with a blank between its parts."""
        return self.driver.execute_script(
            "const found = [], wire = document.querySelector('#wire');"
            "const texts = document.createTreeWalker(wire, NodeFilter.SHOW_TEXT);"
            "while (texts.nextNode()) found.push(texts.currentNode.data);"
            "return found.join(' ')")

    # --- using -------------------------------------------------------------------------------------

    def click(self, selector):
        self.until(f"{selector} cannot be clicked", lambda: [each.click() or True for each in self.all(selector)[:1]])

    def choose(self, action):
        self.click(f'#phone [data-step]:not([inert]) [data-action="{action}"]')

    def type_pin(self, digits):
        """Types a PIN on the keyboard."""
        self.typed.add(digits)
        self.await_("#phone [data-step]:not([inert]) .pin")
        body = self.driver.find_element(By.TAG_NAME, "body")
        for digit in digits:
            body.send_keys(digit)

    def press_at_once(self, keys):
        """Presses keys faster than anything is answered. Returns how often a PIN was sent."""
        return self.driver.execute_script(
            "const send = window.fetch; let sent = 0;"
            "window.fetch = (url, ...rest) => { sent += url.startsWith('/do/enter'); return send(url, ...rest); };"
            "for (const key of arguments[0]) "
            "  document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));"
            "window.fetch = send; return sent", list(keys))

    def tab_to(self, selector):
        """Presses Tab until the element has the focus. Returns what had the focus on the way."""
        met = []
        while not met or not met[-1]["is_there"]:
            if len(met) == 200:
                raise Lost(f"Tab does not come to {selector}: {[each['name'] for each in met]}")
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            met.append(self.driver.execute_script(FOCUSED, selector))
        return met

    def press(self, key):
        """Presses a key on the focused element."""
        self.driver.switch_to.active_element.send_keys(key)

    def tap_pin(self, digits):
        """Types a PIN on the pad."""
        self.typed.add(digits)
        for digit in digits:
            self.click(f"#phone .key:nth-child({position(digit)})")

    def pick(self, selector, value):
        """Chooses a value of a list."""
        script = ("arguments[0].value = arguments[1];"
                  "arguments[0].dispatchEvent(new Event('change', {bubbles: true}))")
        self.driver.execute_script(script, self.await_(selector), value)

    def unfold(self, words):
        """Opens or folds the latest line of the wire with these words."""
        self.driver.execute_script(
            "const line = [...document.querySelectorAll('li.line')].filter((each) => "
            "each.querySelector('.what').textContent.includes(arguments[0])).pop();"
            "line.querySelector('summary').click();"
            "line.scrollIntoView({block: 'end'});"
            "document.activeElement.blur()", words)

    def hold(self, picture):
        """Shows a picture to the camera."""
        self.click(f'[data-picture="{picture}"]')

    def finger(self, word):
        self.click(f'#phone [data-finger="{word}"]')

    def minutes(self, count):
        self.click(f'[data-minutes="{count}"]')


def position(digit):
    """The position of a key on the pad; there is an empty cell before 0."""
    return 11 if digit == "0" else int(digit)


def key_of(page):
    """The secret that the page keeps."""
    return page.driver.execute_script("return sessionStorage.getItem('key')") or ""


def fetch(page, path, method="GET", keep=False, **headers):
    """Sends a request as the page does. `headers` replace the page's own; "" leaves one out. Returns status, headers
    and body, or with `keep` the answer, to be read, and the connection, to be closed."""
    address = urlsplit(page.driver.current_url)
    cookie = page.driver.get_cookies()[0]
    sent = {"Host": address.netloc, "Cookie": f"{cookie['name']}={cookie['value']}", "Phone-Web-Key": key_of(page),
            "Content-Length": "0"} | headers
    connection = http.client.HTTPConnection(address.netloc, timeout=PATIENCE)
    connection.putrequest(method, path, skip_host=True)
    for name, value in sent.items():
        if value:
            connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    if keep:
        return answer, connection
    with contextlib.closing(connection):
        headers = dict(answer.getheaders())
        is_endless = headers.get("Content-Type", "").startswith("text/event-stream")
        return answer.status, headers, b"" if is_endless else answer.read()
