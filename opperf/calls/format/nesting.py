"""JSON of any depth, without what is nested deeper than anything that is read."""

from __future__ import annotations

import re

DEEPEST = 100
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]+|[\]}]+', re.DOTALL)


def without_depths(data: bytes) -> bytes:
    """Return JSON with null for each list and object within `DEEPEST` others.

    A reader of JSON goes no deeper than some hundred, and gives the whole document up for one call.
    """
    depth, kept, begin = 0, [], 0
    for match in TOKEN.finditer(data):
        token, before = match[0], depth
        if token[:1] in b"[{":
            depth += len(token)
            if before <= DEEPEST < depth:
                kept += [data[begin : match.start() + DEEPEST - before], b"null"]
        elif token[:1] in b"]}":
            depth -= len(token)
            if depth <= DEEPEST < before:
                begin = match.start() + before - DEEPEST
    return b"".join(kept if depth > DEEPEST else [*kept, data[begin:]])
