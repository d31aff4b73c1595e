"""Where a remote report goes: `<domain>/<endpoint>|<category>`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from opperf.core.errors import UsageError, quote
from opperf.fetching.address import HTTP, HTTPS, LOCAL_HOSTS, Address, parse_address

FLAG = "--remote_reporter"
FORM = "must be <domain>/<endpoint>|<category>, such as 'results.example.org/log|operators'"
LONGEST_CATEGORY = 200


@dataclass(frozen=True)
class Endpoint:
    """A server's address, and under which category it files what it is sent."""

    address: Address
    category: str

    def __str__(self) -> str:
        return f"{self.address}|{self.category}"


def origin_of(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of a URL."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == HTTPS else 80)
    return parts.scheme, parts.hostname or "", port


def parse_endpoint(text: str, *, allow_http: bool = False) -> Endpoint:
    """Return the endpoint that a text names; without a scheme it is asked by HTTPS.

    Args:
        text: URL and category; '$NAME|category' takes the URL of an environment variable.
        allow_http: whether records and token may go to another machine unencrypted.

    Raises:
        UsageError: it names none, or one that is asked unencrypted.
    """
    url, _, category = (part.strip() for part in text.partition("|"))
    if not url or not category or "|" in category:
        raise UsageError(f"{FLAG} {quote(text)}: {FORM}")
    if not category.isprintable() or len(category) > LONGEST_CATEGORY:
        raise UsageError(
            f"{FLAG}: category {quote(category)} must be printable, and of at most "
            f"{LONGEST_CATEGORY} characters"
        )
    whole = url if "://" in url or url.startswith("$") else f"{HTTPS}://{url}"
    address = parse_address(whole, FLAG, (HTTPS, HTTP))
    if address.scheme == HTTP and address.host not in LOCAL_HOSTS and not allow_http:
        raise UsageError(
            f"{FLAG}: {address.host} is asked by http, by which anybody on the way reads records "
            "and token; write https://, or say --allow-http"
        )
    return Endpoint(address, category)
