#!/usr/bin/env python3
"""Tries the example of a verifier, as its user and as a wallet.

    verifier_example_test.py WALLET_PROVIDER

Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile

from patience import PATIENCE, eventually
from pid_issuer import Issuer
from report import Report
from throwaway_wallet import Request

HERE = pathlib.Path(__file__).parent
EXAMPLE = HERE.parents[1] / "Examples" / "Verifier"

report = Report("verifier")


class Example:
    """The program, started with these options."""

    def __init__(self, scratch, *options):
        self.directory, self.file = scratch / "verifier", scratch / "printed.txt"
        self.seen = 0
        with open(self.file, "w") as file:
            self.process = subprocess.Popen(command(scratch, *options), stdout=file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def printed(self):
        return self.file.read_text()

    def links(self, scheme="openid4vp"):
        return re.findall(rf"^  ({scheme}://\S+)$", self.printed(), re.MULTILINE)

    def request(self):
        """The next request that it shows."""
        self.seen += 1
        if not eventually(lambda: self.printed().count("as a picture") >= self.seen):
            raise SystemExit(f"not ok - verifier: it shows a request\n# {self.printed()}")
        pki = self.directory / "pki"
        return Request(self.links()[-1], pki / "tls-authority.pem", pki / "access-authority.pem")

    def prints(self, text):
        return bool(eventually(lambda: text in self.printed()))


def command(scratch, *options):
    words = [sys.executable, EXAMPLE / "verifier.py", "--directory", scratch / "verifier", *options]
    return [str(word) for word in words]


def answer(request, issuer):
    draft = issuer.draft().showing(request.paths(), request.payload["client_id"], request.payload["nonce"])
    return request.send(request.encrypted(request.right(draft.presentation())))


def check_once(scratch, issuer, anchor):
    with Example(scratch, "--issuer-anchor", anchor, "--once") as example:
        check_answer(example, issuer)


def check_answer(example, issuer):
    request = example.request()
    report(request.problems == [], "the request is right", request.problems)
    [link], [other] = example.links(), example.links("haip-vp")
    report(link.removeprefix("openid4vp") == other.removeprefix("haip-vp"), "both links are of one request")
    picture = example.directory / "request.png"
    read = subprocess.run(["ZXingReader", "-bytes", str(picture)], capture_output=True, text=True)
    report(read.stdout == link, "the picture is a code of the link", read.stdout + read.stderr)
    report(answer(request, issuer)[0] == 200, "it takes an answer")
    report(example.process.wait(PATIENCE) == 0, "it ends after the answer")
    report("""The answer is accepted:
  family_name: "Rowan"
  given_name: "Imogen Elspeth"
  age_equal_or_over.18: true
""" in example.printed(), "it prints the claims", example.printed())


def check_once_refused(scratch, issuer):
    with Example(scratch, "--once") as example:
        answer(example.request(), issuer)
        report(example.process.wait(PATIENCE) == 1, "with another status where the answer is refused")


def check_again(scratch, issuer):
    with Example(scratch, "--get", "--claim", "birthdate", "--vct", issuer.type, "--vct", "urn:other") as example:
        check_refusals(example, issuer)


def check_refusals(example, issuer):
    report(example.prints("no issuer is trusted"), "it says that no issuer is trusted", example.printed())
    request = example.request()
    report(request.asked["request_uri_method"] == "get" and request.problems == [], "a request by GET is right",
           request.problems)
    report(request.query["claims"] == [{"path": ["birthdate"]}]
           and request.query["meta"] == {"vct_values": [issuer.type, "urn:other"]}, "it has the claims and types")
    report(answer(request, issuer)[0] == 400 and example.prints("The answer is refused: issuer_key: "),
           "a refusal is printed", example.printed())
    second = example.request()
    report(second.payload["state"] != request.payload["state"], "then comes another request")
    second.send({"error": "access_denied", "state": second.payload["state"]})
    report(example.prints("The wallet answered with an error: access_denied"), "an error of the wallet is printed")
    example.request()
    example.process.send_signal(signal.SIGINT)
    report(example.process.wait(PATIENCE) == 0, "an interrupt ends it")


def check_mistakes(scratch):
    def says(*options):
        run = subprocess.run(command(scratch, *options), capture_output=True, text=True)
        return run.returncode, run.stderr

    status, text = says("--claim", "[1")
    report(status == 2 and "--claim" in text, "a claim that cannot be read is an error", text)
    status, text = says("--issuer-anchor", scratch / "none.pem")
    report(status == 2 and "none.pem" in text, "so is an authority without a file", text)
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        status, text = says("--port", port)
    report(status == 1 and f"port {port}" in text and "Traceback" not in text, "so is a port that is taken", text)
    run = subprocess.run([EXAMPLE / "verifier.sh"], capture_output=True, text=True)
    report(run.returncode == 2 and "BUILD_DIRECTORY" in run.stderr, "the script says how it is called", run.stderr)


def check_trust(scratch, provider):
    """The provider takes the file with the authorities."""
    run = subprocess.run(
        [provider, "check", "--demonstration", "--data", scratch / "data",
         "--trust-anchors", scratch / "verifier" / "pki" / "trust-anchors.json"], capture_output=True, text=True)
    report("trust-anchors.json: 2, of which 2 count today" in run.stdout, "a provider trusts its authorities",
           run.stdout + run.stderr)


def check_packages():
    """What is installed for the user is what the tests have tried."""
    ours, tested = (
        re.sub(r"^#.*\n", "", file.read_text(), flags=re.MULTILINE).replace("\\\n", "").splitlines()
        for file in (EXAMPLE / "packages.txt", HERE / "judges.txt"))
    report(ours and set(ours) <= set(tested), "its packages are those of the tests", set(ours) - set(tested))


def main():
    with tempfile.TemporaryDirectory() as directory:
        scratch, issuer = pathlib.Path(directory), Issuer()
        anchor = scratch / "issuer.pem"
        anchor.write_text(issuer.authority.pem)
        check_once(scratch, issuer, anchor)
        check_once_refused(scratch, issuer)
        check_again(scratch, issuer)
        check_mistakes(scratch)
        check_trust(scratch, sys.argv[1])
        check_packages()
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
