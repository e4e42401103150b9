# SPDX-License-Identifier: Apache-2.0
"""Which addresses a request may reach. `is_global` of Python's ipaddress is not enough: it takes addresses of IPv6 that
lead to private ones of IPv4 for global."""

from __future__ import annotations

import ipaddress

from wallet_core import Reach

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# By IANA's registries of special addresses: those of IPv4 that are not of the public internet, and in the part of IPv6
# that is.
SPECIAL = [ipaddress.ip_network(text) for text in (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/3", "2001::/23", "2001:db8::/32", "3fff::/20")]
GLOBAL = ipaddress.ip_network("2000::/3")
# Mapped, and translated (RFC 6052): the last four bytes are an address of IPv4. Of 6to4 the third to sixth are.
MAPPED = [ipaddress.ip_network(text) for text in ("::ffff:0:0/96", "64:ff9b::/96")]
SIX_TO_FOUR = ipaddress.ip_network("2002::/16")


def inner(address: Address) -> Address:
    """The address of IPv4 in one of IPv6, or the address itself."""
    if any(address in network for network in MAPPED):
        return ipaddress.IPv4Address(address.packed[-4:])
    return ipaddress.IPv4Address(address.packed[2:6]) if address in SIX_TO_FOUR else address


def is_allowed(text: str, reach: Reach) -> bool:
    """Whether a request may connect to an address."""
    if reach == Reach.ANY:
        return True
    address = inner(ipaddress.ip_address(text.partition("%")[0]))
    if address.is_loopback:
        return reach == Reach.PUBLIC_OR_LOOPBACK
    is_global = address.version == 4 or address in GLOBAL
    return is_global and not any(address in network for network in SPECIAL)
