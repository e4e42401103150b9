"""A host that serves `make check-http-bridge` with the HTTP stack of the example, or with a careless one.

    check.py [careless]

With the word "addresses" it says of each address of its input what a request may do.
"""

import os
import sys
import tempfile

from wallet_core import Core, Reach

if sys.argv[1:] == ["addresses"]:
    from http_address import is_allowed
    for line in map(str.strip, sys.stdin):
        public, device = is_allowed(line, Reach.PUBLIC), is_allowed(line, Reach.PUBLIC_OR_LOOPBACK)
        print("public" if public else "device" if device else "private")
    sys.exit()
if sys.argv[1:] == ["careless"]:
    from careless import CarelessStack as Stack
else:
    from http_stack import HTTPClientStack as Stack

core = Core(os.environ["WALLET_CORE_TESTING_LIBRARY"])
core.set_http_stack(Stack())
with tempfile.TemporaryDirectory() as storage:
    core.init(core.testing.configuration(), app_version="1.0.0", app_id="org.example.check", storage_path=storage)
    sys.exit(0 if core.testing.serve_http_bridge(os.environ["WALLET_CORE_HTTP_CHECK"]) else 1)
