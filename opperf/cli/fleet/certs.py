"""Make the authority of a fleet and a certificate for each host, or say which there are."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import leaving_early, say
from opperf.core.errors import UsageError, quote, quote_path

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.fleet.security.authority import Authority

LIFETIME = 365
LONGEST = 3650


def add_arguments(parser: ArgumentParser) -> None:
    """Add the folder, the hosts and for how long."""
    parser.add_argument(
        "directory", type=Path, metavar="DIR",
        help="the authority's folder, made if it is missing; DIR/hosts/NAME is for the host NAME",
    )  # fmt: skip
    parser.add_argument(
        "--host", action="append", default=[], metavar="NAME[,NAME...]",
        help="make a certificate for a host, with all names and addresses that others reach it by",
    )  # fmt: skip
    parser.add_argument(
        "--days", type=int, metavar="N",
        help=f"how long certificates are valid (default: {LIFETIME}, at most {LONGEST})",
    )  # fmt: skip
    parser.add_argument(
        "--renew", action="store_true",
        help="sign the keys of the hosts given, or of all, again; the keys stay",
    )  # fmt: skip


def execute(arguments: Namespace) -> int:
    """Make what is missing; without hosts, print which there are and until when."""
    days = LIFETIME if arguments.days is None else arguments.days
    if not 1 <= days <= LONGEST:
        raise UsageError(f"--days {quote(days)}: allowed are 1 to {LONGEST}")
    from opperf.fleet.security.names import parse_names
    from opperf.fleet.security.private import sole_writer

    hosts = [parse_names(text) for text in arguments.host]
    require_distinct(hosts)
    with sole_writer(arguments.directory):
        authority = find_authority(arguments.directory)
        if arguments.renew:
            renew(arguments.directory, authority, hosts, timedelta(days=days))
        else:
            make(arguments.directory, authority, hosts, timedelta(days=days))
        if not hosts:
            with leaving_early():
                show(arguments.directory)
    return 0


def require_distinct(hosts: list[tuple[str, ...]]) -> None:
    """Refuse a host that is given twice.

    Raises:
        UsageError: names it.
    """
    first = [names[0] for names in hosts]
    for name in first:
        if first.count(name) > 1:
            raise UsageError(f"--host {name} is given twice; all names of a host stand in one")


def find_authority(directory: Path) -> Authority:
    """Return the authority of the folder, made if there is none and no host either.

    Raises:
        UsageError: its files are damaged, or only those of hosts are there.
    """
    from opperf.fleet.security.authority import make_authority, read_authority

    folder = directory / "ca"
    if folder.exists():
        return read_authority(folder)
    if (directory / "hosts").exists():
        raise UsageError(
            f"{quote_path(directory)} has certificates of hosts and no authority: bring "
            f"{quote_path(folder)} back, or take another folder for a new fleet"
        )
    authority = make_authority(folder)
    say(f"made the authority in {folder}; who has its ca.key can admit hosts: keep it there")
    return authority


def make(
    directory: Path, authority: Authority, hosts: list[tuple[str, ...]], lifetime: timedelta
) -> None:
    """Make certificates for new hosts; those that are there and fit stay as they are.

    Raises:
        UsageError: a host has a certificate for other names, or one that is not fit to be used.
    """
    from opperf.fleet.security.certificates import make_host, read_host

    for names in hosts:
        folder = folder_of(directory, names[0])
        if not folder.exists():
            one = make_host(folder, authority, names, lifetime)
            say(f"made {folder} for {', '.join(names)}, valid until {one.end:%Y-%m-%d}")
            continue
        there = read_host(folder)
        if set(there.names) != set(names):
            raise UsageError(
                f"{quote_path(folder)} is there for {', '.join(there.names)}; give --renew to "
                f"have it for {', '.join(names)}"
            )
        say(there.warning() or f"{folder} is there, valid until {there.end:%Y-%m-%d}")


def renew(
    directory: Path, authority: Authority, hosts: list[tuple[str, ...]], lifetime: timedelta
) -> None:
    """Sign the keys of these hosts again, or of all under the names that they have.

    Raises:
        UsageError: a host is unknown or its key cannot be read.
    """
    from opperf.fleet.security.certificates import CERTIFICATE, HostCertificate, renew_host
    from opperf.fleet.security.pem import read_certificate

    folders = {folder_of(directory, names[0]): names for names in hosts}
    for folder in folders or dict.fromkeys(host_folders(directory)):
        if not folder.exists():
            raise UsageError(
                f"no host {folder.name} in {quote_path(directory)}; there are: "
                f"{', '.join(path.name for path in host_folders(directory)) or 'none'}"
            )
        there = HostCertificate(folder, read_certificate(folder / CERTIFICATE))
        names = folders.get(folder) or there.names
        one = renew_host(folder, authority, names, lifetime)
        say(
            f"renewed {folder / CERTIFICATE} for {', '.join(names)}, valid until "
            f"{one.end:%Y-%m-%d}; copy this file to the host and restart what uses it"
        )


def show(directory: Path) -> None:
    """Print a line for each host: its folder, until when, its names; or what is wrong with it."""
    for folder in host_folders(directory):
        print(f"{folder}: {state(folder)}")


def state(folder: Path) -> str:
    """Return until when a host's certificate is valid and for whom, or what is wrong with it."""
    from opperf.fleet.security.certificates import read_host

    try:
        one = read_host(folder)
    except UsageError as error:
        return str(error)
    return f"until {one.end:%Y-%m-%d}, for {', '.join(one.names)}"


def folder_of(directory: Path, name: str) -> Path:
    """Return the folder of the host that is first called so."""
    from opperf.fleet.security.certificates import HOSTS
    from opperf.fleet.security.names import folder_name

    return directory / HOSTS / folder_name(name)


def host_folders(directory: Path) -> list[Path]:
    """Return the folders of all hosts."""
    return sorted(path for path in (directory / "hosts").glob("*") if path.is_dir())
