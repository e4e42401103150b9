"""Checks what a user who is new to wallets sees on the screens of the phone in the browser."""

from phone_web_page import told

PHONE_WIDTH = 390

# Whether an element is visible and can be pressed once it is scrolled into view.
WITHIN_REACH = """
const element = document.querySelector(arguments[0]);
if (!element) return false;
element.scrollIntoView({block: "center", inline: "nearest"});
const box = element.getBoundingClientRect();
const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
return box.left >= 0 && box.right <= innerWidth && element.contains(hit);
"""


def applicant_in_sight(page):
    """On a narrow screen the controls of the outside world are out of sight, so the hint must not point there."""
    page.size(PHONE_WIDTH, 844, 2)
    told("on a narrow screen the start leads to an account",
         page.driver.execute_script(WITHIN_REACH, "#phone .new-applicant"), page.text("#phone .hint"))
    page.choose("scan")
    page.expect("UC3.1 3", "scan-enrolment-code")
    page.await_("#phone .shelf .new-applicant")
    page.shoot("narrow-applicant")
    told("on a narrow screen the camera leads to an account",
         page.driver.execute_script(WITHIN_REACH, "#phone .shelf .new-applicant"), page.text("#phone .shelf"))
    page.click("#phone .shelf .new-applicant")
    page.await_('[data-picture="enrolment-code"]')
    told("then the camera offers the code", not page.all("#phone .shelf .new-applicant"), page.text("#phone .shelf"))
    page.size(1600, 1000)
    page.choose("back")
    page.expect("UC3.1 2b", "proofing-start")
    told("the start says that the code is ready", "are ready" in page.text("#phone .hint"), page.text("#phone .hint"))


def consent(page):
    headings = page.text("#phone .paragraph h4").split("\n")
    told("the consent is split under headings",
         headings == ["What is sent", "What is kept", "Your choice"], page.text("#phone .words"))
    longest = max(len(paragraph.text) for paragraph in page.all("#phone .words .message"))
    told("the consent has short paragraphs", longest <= 160, longest)


def closed_verifier(page):
    """Closes the verifier's view and loads the page again. Once that has drawn the card, it has drawn everything over
    it."""
    page.click("#close-verifier")
    page.until("the verifier's view stays", lambda: not page.all(".verifier"))
    page.driver.refresh()
    page.expect("UC7.1 2.1", "card-details")
    page.await_("#present")
    told("a verifier's view that was closed stays closed when the page is loaded again", not page.all(".verifier"),
         page.text(".verifier"))


def attempts_left(page, left):
    told(f"a wrong PIN says that the user has {left} left", f"You have {left} left." in page.text("#phone .prompt"),
         page.text("#phone .prompt"))


def blocked(page):
    prominent = page.text("#phone .buttons .primary").split("\n")
    told("while the wallet is blocked, the prominent button deletes nothing",
         prominent == ["Forgot PIN"] and page.text("#phone .buttons button:last-child") == "Delete wallet",
         page.text("#phone .buttons"))


def picture_without_a_code(page, path):
    """Uploads a file that is not a picture."""
    path.write_bytes(b"\x89PNG\r\n\x1a\n and nothing more")
    page.await_("#picture").send_keys(str(path))
    page.until("a picture that cannot be used is not named", lambda: page.text(".toast").startswith(f"{path.name}: "))
    told("a picture that cannot be used is named", True)
