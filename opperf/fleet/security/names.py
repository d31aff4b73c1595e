"""Names that a certificate says its host has: DNS names and addresses."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

from opperf.core.errors import UsageError, quote

LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
LONGEST, MOST = 253, 100
Address = IPv4Address | IPv6Address


def parse_names(text: str) -> tuple[str, ...]:
    """Return the names of a host, NAME[,NAME...], each as DNS and addresses are compared.

    Raises:
        UsageError: one is neither a DNS name nor an address, or there are too many.
    """
    names = tuple(dict.fromkeys(parse_name(word) for word in text.split(",")))
    if len(names) > MOST:
        raise UsageError(f"{len(names)} names for one certificate; at most {MOST} are allowed")
    return names


def parse_name(word: str) -> str:
    """Return a name in lower case, or an address in its shortest form.

    Raises:
        UsageError: it is neither.
    """
    address = parse_address(word)
    if address is not None:
        return str(address)
    name = word.lower()
    labels = name.split(".")
    if len(name) > LONGEST or not all(map(LABEL.fullmatch, labels)) or labels[-1].isdigit():
        raise UsageError(
            f"{quote(word)} is neither a host's name nor an address; allowed: names of ASCII "
            "letters, digits and hyphens such as node-1.example.org, addresses such as 10.0.0.7 "
            "or fd00::7"
        )
    return name


def parse_address(word: str) -> Address | None:
    """Return the address that a word is, None where it is none; zones (%eth0) are no part of it."""
    try:
        address = ip_address(word)
    except ValueError:
        return None
    return None if "%" in word else address


def folder_name(name: str) -> str:
    """Return what the folder of a host is called: colons would be a port or a host to scp."""
    return f"ipv6-{name.replace(':', '-')}" if ":" in name else name
