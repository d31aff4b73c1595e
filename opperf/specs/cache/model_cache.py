"""Files of specifications by their content: fetched when missing or changed, never written back."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote_path
from opperf.fetching.cache import Content, FileCache, check, download_folder
from opperf.fetching.data import FLAG, parse_downloads
from opperf.fetching.places import explaining, holding, read_facts, workshop, write_facts
from opperf.specs.cache import tree
from opperf.specs.cache.source import download_sources, source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from opperf.specs.cache.source import ModelSource
    from opperf.specs.format.expanded import FileSpec

REMEDY = "free space, or give another --model_cache"
TREE = "tree"


@dataclass(frozen=True)
class PlacedFiles:
    """Files of one model in one folder under their names, and the hashes of what they came from."""

    folder: Path
    files: Mapping[str, Path]
    hashes: Mapping[str, Mapping[str, str]]


def model_folder() -> Path:
    """Return where models are kept where no other folder is given."""
    return download_folder().parent / "models"


class ModelCache:
    """A folder of models; several processes may use it at once, and be killed at any time.

    Args:
        folder: where it lies: content/ has the files by sha256, models/ them under their names.
        root: what a location that begins with // is below.
        tell: takes a line for the user.

    """

    def __init__(self, folder: Path | None, root: Path | None, tell: Callable[[str], None]) -> None:
        self.folder = folder.absolute() if folder else model_folder()
        self.contents = FileCache(self.folder)
        self.root = root
        self.tell = tell

    def place(self, files: Mapping[str, FileSpec]) -> PlacedFiles:
        """Make the files of a model lie in a folder of their own, as they are now.

        Raises:
            UsageError: one cannot be had or has another hash, or two have one name.
        """
        return self.place_sources(
            {role: source_of(each, self.root) for role, each in files.items()}
        )

    def place_downloads(self, texts: Sequence[str]) -> PlacedFiles:
        """Make data of `URL;PATH;HASH` lie in a folder of their own, likewise.

        Raises:
            UsageError: as for files.
        """
        return self.place_sources(download_sources(parse_downloads(texts), FLAG))

    def place_sources(self, sources: Mapping[str, ModelSource]) -> PlacedFiles:
        """Fetch all, and put them into the folder of just these."""
        refuse_clashes(sources)
        contents = {role: self.fetch(source) for role, source in sources.items()}
        lines = sorted(
            f"{source.path} {contents[role].hashes['sha256']} {source.extracted}\n"
            for role, source in sources.items()
        )
        key = sha256("".join(lines).encode()).hexdigest()
        folder = self.folder / "models" / key
        with (
            explaining(f"put models into {quote_path(self.folder)}", REMEDY),
            holding(self.folder / "locks" / f"model-{key}"),
        ):
            folder.mkdir(parents=True, exist_ok=True)
            for role, source in sources.items():
                self.put(source, contents[role], folder)
        return PlacedFiles(
            folder,
            {role: folder / source.path for role, source in sources.items()},
            {role: content.hashes for role, content in contents.items()},
        )

    def fetch(self, source: ModelSource) -> Content:
        """Return a source's content, which has all the hashes that are given.

        Raises:
            UsageError: it has not, or it cannot be had.
        """
        address, digest = source.address, source.digest
        if address is None:
            content = self.contents.find(digest) if digest else None
            if content is None:
                raise UsageError(
                    f"{source.place}: the cache has no {digest}, and there is no location of it"
                )
            return content
        try:
            content = self.contents.fetch(address, digest)
            for each in source.digests:
                check(content, address, each)
        except UsageError as error:
            raise UsageError(f"{source.place}: {error}") from error
        if digest is None and source.elsewhere:
            found = content.hashes["sha256"]
            self.tell(f"{source.place}: {address} has sha256:{found}, and nothing to check it by")
        return content

    def put(self, source: ModelSource, content: Content, folder: Path) -> None:
        """Put a file or an extracted archive into its place, unless it is there unchanged."""
        target = folder / source.path
        facts = self.folder / "origins" / folder.name / f"{source.path}.json"
        if source.extracted:
            kept = target.is_dir() and read_facts(facts).get(TREE) == tree.hash_folder(target)
        else:
            kept = tree.is_same(target, content)
        if kept:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with workshop(self.folder / "making" / folder.name) as made:
            new = made / "new"
            if source.extracted:
                write_facts(facts, {TREE: tree.put_folder(content, new, str(source.address))})
            else:
                linked = content.path.is_relative_to(self.folder)
                tree.put_file(content, new, linked=linked)
            tree.replace(target, new)


def refuse_clashes(sources: Mapping[str, ModelSource]) -> None:
    """Refuse two different files of one name.

    Raises:
        UsageError: there are.
    """
    seen: dict[str, ModelSource] = {}
    for source in sources.values():
        other = seen.setdefault(str(source.path), source)
        if (other.address, other.digests) != (source.address, source.digests):
            raise UsageError(
                f"{source.place}: another file of the model is called {source.path} as well"
            )
