# SPDX-License-Identifier: Apache-2.0
"""Serves the phone in the browser.

run.sh starts what this needs and passes the options.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

from . import flows
from .camera import Camera
from .chains import Anchors
from .feed import Feed
from .orders import orders
from .provider import Provider
from .proxy import Proxy
from .session import Session
from .signatures import KnownKeys
from .statuses import fetch
from .verifier import Verifier
from .web import Server
from .wire import Wire

ARTICLES = Path(__file__).resolve().parents[3] / "Sources/wallet_core/wallet_core.docc"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="phone_web")
    parser.add_argument("--port", type=int, default=0, help="the page's port; a free one by default")
    parser.add_argument("--program", required=True, type=Path, help="wallet-provider-testing")
    parser.add_argument("--data", required=True, type=Path, help="the provider's data directory")
    parser.add_argument("--provider", required=True, help="the provider's URL")
    parser.add_argument("--control", required=True, help="the URL of the provider's test control")
    parser.add_argument("--scanner", required=True, type=Path, help="the program scan of Examples/C")
    parser.add_argument("--pictures", required=True, type=Path, help="the directory that make-samples.sh has filled")
    parser.add_argument("--directory", required=True, type=Path, help="the directory for the phone's data")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    feed = Feed()
    proxy = Proxy(options.provider, lambda line: session.exchange(line))
    configuration = options.directory / "configuration.json"
    options.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    subprocess.run(
        [options.program, "client-configuration", "--data", options.data, "--url", proxy.url, "--out", configuration],
        check=True)

    def authorities() -> Anchors:
        """The verifier asks the provider itself, not through the recorder, and every time: keys are replaced."""
        return Anchors(fetch(f"{options.provider}/issuer-authority.pem", "application/pem-certificate-chain").decode())

    keys = KnownKeys(configuration.read_bytes())
    proxy.reader = Wire(keys)
    session = Session(
        feed, Provider(options.control, options.pictures), Verifier(authorities), options.directory, configuration)
    proxy.start()
    server = Server(
        options.port, feed, flows.read(ARTICLES), options.pictures,
        orders(session, Camera(options.scanner), options.pictures))
    try:
        answer = session.restart("android")
        if answer["status"] != "OK":
            raise SystemExit(f"phone_web: {answer['status']}: {answer.get('message', '')}")
        print(f"The phone is at {server.url}", flush=True)
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        session.stop()
        feed.close()


if __name__ == "__main__":
    main()
