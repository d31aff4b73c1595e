"""The flags of what surrounds a method: its repositories, its data, and where its results go."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.core.errors import UsageError, quote_path

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence

    from opperf.fetching.checkout import Checkout
    from opperf.fetching.upload import Destination

WORKSPACE = "workspace"
PACKAGES = "site-packages"
"""The folder of a workspace that has the checkouts."""
OUTPUT = "output"
"""The folder of a workspace that has a folder of each execution."""
KEY = "GOOGLE_APPLICATION_CREDENTIALS"
"""The variable that names the file of Google Cloud's key, by which its own libraries find it."""


class Workspace:
    """Checkouts that were made for methods, and where what they leave is copied to.

    `exit_code` is 1 once something could not be copied.
    """

    def __init__(self, checkouts: Sequence[Checkout], destination: Destination | None) -> None:
        self.checkouts = [str(each.path) for each in checkouts]
        self.edited = [each.path.name for each in checkouts if each.edited]
        self.destination = destination
        self.exit_code = 0

    def url_of(self, folder: Path) -> str | None:
        """Return where a method's folder is copied to, None where it is not."""
        return self.destination.url_of(folder) if self.destination else None

    def upload(self, folder: Path) -> None:
        """Copy a method's folder; where that fails, say so: what was measured is kept."""
        if self.destination:
            try:
                self.destination.put(folder)
            except UsageError as error:
                say(str(error))
                self.exit_code = 1


def add_surroundings(parser: ArgumentParser) -> None:
    """Add the flags; underscores are allowed, as in PerfZero's."""
    add = flag_adder(parser)
    add(
        "git-repos", action="append", default=[], metavar="URL;BRANCH;HASH",
        help="check out a repository at this commit into WORKSPACE/site-packages; several, also "
        "between commas",
    )  # fmt: skip
    add(
        "use-cached-site-packages", action="store_true",
        help="take checkouts that are there as they are, local edits included",
    )  # fmt: skip
    add(
        "workspace", metavar="DIR",
        help=f"where checkouts lie, and where it is given also the output (default: {WORKSPACE})",
    )  # fmt: skip
    add(
        "data-downloads", action="append", default=[], metavar="URL;PATH;HASH",
        help="fetch a file, extracted if it is an archive, into the folder of the data sets; "
        "several, also between commas",
    )  # fmt: skip
    add(
        "output-url", metavar="URL",
        help="copy the folder of each method to this URL: file://, s3:// or gs:// (default: none)",
    )  # fmt: skip
    add(
        "gcloud-key-file-url", metavar="FILE",
        help=f"the file of a key for gs://, as {KEY} names it; empty for none (default: none)",
    )  # fmt: skip


def flag_adder(parser: ArgumentParser) -> Callable[..., object]:
    """Return what adds a flag in both spellings."""

    def add(name: str, **options: object) -> None:
        flags = dict.fromkeys([f"--{name}", f"--{name.replace('-', '_')}"])
        parser.add_argument(*flags, **options)  # type: ignore[arg-type]

    return add


def prepare_workspace(arguments: Namespace) -> Workspace:
    """Fetch all that is asked for, once every flag was understood; `arguments` get its folders.

    Raises:
        UsageError: a flag is wrong, or something cannot be had.
    """
    from opperf.fetching.cache import FileCache, download_folder
    from opperf.fetching.checkout import check_out
    from opperf.fetching.data import parse_downloads, place_data
    from opperf.fetching.repository import parse_repositories
    from opperf.fetching.upload import Destination

    repositories = parse_repositories(arguments.git_repos)
    downloads = parse_downloads(arguments.data_downloads)
    use_key(arguments.gcloud_key_file_url)
    destination = Destination(arguments.output_url) if arguments.output_url else None
    folder = Path(arguments.workspace or WORKSPACE).absolute()
    tell = silence if arguments.quiet else say
    cached = arguments.use_cached_site_packages
    checkouts = check_out(repositories, folder / PACKAGES, tell, cached=cached)
    arguments.python_path = find_folders(arguments.python_path, folder / PACKAGES)
    if downloads and not (arguments.list or arguments.dry_run):
        cache = FileCache(download_folder())
        place_data(downloads, Path(arguments.data_dir).absolute(), cache, tell)
    if arguments.workspace and not arguments.output_dir:
        arguments.output_dir = str(folder / OUTPUT)
    return Workspace(checkouts, destination)


def silence(_: str) -> None:
    """Say nothing."""


def find_folders(texts: Sequence[str], packages: Path) -> list[str]:
    """Return folders of modules: of the checkouts, else where they stand.

    Raises:
        UsageError: there is none.
    """
    folders = []
    parts = ([text] if Path(text).is_dir() else text.split(",") for text in texts)
    for name in chain.from_iterable(parts):
        found = next((each for each in (packages / name, Path(name)) if each.is_dir()), None)
        if found is None or not name:
            raise UsageError(f"--python-path {quote_path(name)}: there is no such directory")
        folders.append(str(found.absolute()))
    return folders


def use_key(name: str | None) -> None:
    """Have the libraries of gs:// find a key by the file's name; nothing else is done with it.

    Raises:
        UsageError: it is no file.
    """
    if not name:
        return
    path = Path(name.removeprefix("file://"))
    if "://" in str(name.removeprefix("file://")):
        raise UsageError("--gcloud_key_file_url: a key is not fetched from a URL; name its file")
    if not path.is_file():
        raise UsageError(f"--gcloud_key_file_url: there is no file {quote_path(path)}")
    os.environ[KEY] = str(path.absolute())
