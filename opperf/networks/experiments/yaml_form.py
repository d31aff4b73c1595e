"""YAML of strangers: plain values only, no key twice, no aliases, which could grow without end."""

from __future__ import annotations

from typing import Any

import yaml

from opperf.core.errors import UsageError, quote


class StrictLoader(yaml.SafeLoader):
    """A loader that refuses what a file of parameters has no need of."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuse an alias."""
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark
            raise yaml.composer.ComposerError(None, None, "aliases are not allowed", mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT002
        """Refuse a key that stands twice, and the key that merges."""
        seen = set[str]()
        for key, _ in node.value:
            if key.value in seen or key.tag == "tag:yaml.org,2002:merge":
                said = f"{quote(key.value)} stands twice, or merges"
                raise yaml.constructor.ConstructorError(None, None, said, key.start_mark)
            if isinstance(key.value, str):
                seen.add(key.value)
        return super().construct_mapping(node, deep)


def load(text: str, name: str) -> object:
    """Return what YAML says.

    Raises:
        UsageError: It is not YAML, or has something that is not allowed; names the line.
    """
    try:
        return yaml.load(text, StrictLoader)  # noqa: S506 - a SafeLoader
    except RecursionError:
        raise UsageError(f"{name}: not YAML that can be read: nested too deeply") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f" line {mark.line + 1}" if mark else ""
        raise UsageError(f"{name}{line}: not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, ValueError, TypeError, OverflowError) as error:
        said = quote(str(error).partition("\n")[0])[1:-1]
        raise UsageError(f"{name}: not valid YAML: {said}") from None
