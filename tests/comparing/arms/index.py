"""An index of packages on loopback, as pip asks it: a page for each name, with links to wheels."""

from __future__ import annotations

import threading
from collections import defaultdict
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing of it."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def running_index(folder: Path, *, hashed: bool = True) -> Iterator[str]:
    """Serve the wheels of a folder; yields the URL of the index, without which none is reached.

    Args:
        folder: of wheels, beside which the pages are written.
        hashed: whether links say what they lead to.
    """
    pages: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.glob("*.whl")):
        pages[path.name.split("-")[0]].append(path)
    for name, paths in pages.items():
        page = folder / "simple" / name / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("".join(f"<a href='{link(one, hashed=hashed)}'>x</a>" for one in paths))
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/simple"
        server.shutdown()
        thread.join()


def link(path: Path, *, hashed: bool) -> str:
    """Return the address of a wheel as a page has it."""
    return f"/{path.name}" + (f"#sha256={digest(path)}" if hashed else "")


def digest(path: Path) -> str:
    """Return a file's sha256."""
    return sha256(path.read_bytes()).hexdigest()
