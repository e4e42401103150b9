"""Tries a host's HTTP bridge against servers that play tricks, and prints what holds.

    Tests/HTTPBridge/check.py COMMAND [CHECK...]

COMMAND starts the host under test, see README.md. By default all checks are made. The rules are those of the section on the HTTP bridge in
wallet_core.h. The exit code is not zero if one of them does not hold.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), "..", "Hosts")]
import bridge as b  # noqa: E402
import rules  # noqa: E402
import rules_network as network  # noqa: E402
import told as counted  # noqa: E402
from told import told  # noqa: E402
from tricks import Server, answer, says  # noqa: E402

CHECKS = (
    rules.answers, rules.requests, rules.privacy, rules.redirects, rules.limits, network.times, network.damage,
    network.connections, network.trust, network.reach, network.cancelling, network.concurrency,
)


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    command, names = sys.argv[1], sys.argv[2:]
    proxy = Server(says(answer("502 Proxy")))
    environment = {name: proxy.url().rstrip("/") for name in ("http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY")}
    environment["no_proxy"] = ""
    with b.Bridge(command, {}) as host:
        for check in CHECKS:
            if not names or check.__name__ in names:
                check(host)
    told("the host ends in order", host.process.returncode == 0, host.process.returncode)
    if not names or "proxies" in names:
        with b.Bridge(command, environment) as host:
            network.proxies(host, proxy)
    if not names or "keys" in names:
        with tempfile.TemporaryDirectory() as directory:
            file = os.path.join(directory, "keys")
            with b.Bridge(command, {"SSLKEYLOGFILE": file}) as host:
                network.keys(host, file)
    if not names or "leaving" in names:
        network.leaving(lambda: b.Bridge(command, {}))
    failures = counted.failures
    print(f"{failures} rules do not hold" if failures else "every rule holds")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
