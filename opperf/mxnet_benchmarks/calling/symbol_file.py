"""A network from a symbol's JSON file: inputs of stated shapes, random parameters."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mxnet

from opperf.calls.format.content import LARGEST_OF_CALLS, check_size, read_bytes
from opperf.core.errors import UsageError, error_text, quote, unknown
from opperf.mxnet_benchmarks.calling.network import Example

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.calls.capturing.source import Source

ATTRIBUTES = ("attrs", "attr", "param")
"""Where symbols have the attributes of their nodes, the older ones under other names."""
LABEL = "label"
"""How the names of variables end that MXNet's losses compare with."""
REACHING = re.compile(r"(_npi)?_*(Custom|CustomFunction|Native|NDArray|NumpyOp|cvimread)")
ONES = ("gamma", "var")
SPREAD = 0.05


def from_symbol(source: Source) -> Example:
    """Return the network of a symbol file, whose modules are its nodes.

    Raises:
        UsageError: MXNet cannot load it, or an input of it is missing.
    """
    symbol = load_symbol(Path(source.name), source.text)
    shapes = {name: tuple(shape) for name, shape in source.inputs.items()}
    arguments = symbol.list_arguments()
    for name in shapes:
        if name not in arguments:
            raise UsageError(f"{source.text}: --input {unknown('variable', name, arguments)}")
    found = inferred(symbol, shapes, source)
    inputs = [name for name in arguments if name in shapes or name.endswith(LABEL)]
    variables = [mxnet.sym.var(name, dtype="float32") for name in inputs]
    block = mxnet.gluon.SymbolBlock(symbol, variables)
    for name, parameter in block.collect_params().items():
        parameter.shape = found[name]
        parameter.initialize(init=mxnet.init.Zero())
        parameter.set_data(filled(name, found[name]))
    given = tuple(
        mxnet.nd.random.uniform(shape=found[name])
        if name in shapes
        else mxnet.nd.zeros(found[name])
        for name in inputs
    )
    first = next(iter(shapes.values()), (None,))
    return Example(block, given, lambda name: name, batch=first[0] or None)


def load_symbol(path: Path, text: str) -> Any:
    """Return the symbol of a file, called `text` in errors; nothing of it is executed."""
    try:
        data = read_bytes(path)
        check_size(data, LARGEST_OF_CALLS)
        document = json.loads(data.decode())
        refuse_malformed(document)
        refuse_reaching(document)
        return mxnet.sym.load_json(data.decode())
    except OSError as error:
        raise UsageError(f"{text} cannot be read: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(f"{text}: mxnet cannot load it: {error}") from None
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it
        raise UsageError(f"{text}: mxnet cannot load it: {error_text(error)}") from None


def refuse_reaching(value: Any) -> None:
    """Refuse operators that read a file, follow a pointer or call Python, also in subgraphs.

    Raises:
        UsageError: names the operator.
    """
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in parts:
        if key == "op" and isinstance(each, str) and REACHING.fullmatch(each):
            raise UsageError(f"it has the operator {each}, which reaches out of the network")
        if isinstance(each, (dict, list)):
            refuse_reaching(each)


def refuse_malformed(document: Any) -> None:
    """Refuse what MXNet would take on trust: nodes that read from themselves or from none.

    Raises:
        UsageError: names the node.
    """
    nodes = document.get("nodes") if isinstance(document, dict) else None
    if not isinstance(nodes, list) or not nodes:
        raise UsageError("it has no nodes")
    for number, node in enumerate(nodes):
        refuse_malformed_node(node, number)
    for field in ("arg_nodes", "heads"):
        found = document.get(field)
        if not isinstance(found, list):
            raise UsageError(f"it has no {field}")
        for each in found:
            if not reads_before(each if isinstance(each, list) else [each], len(nodes)):
                raise UsageError(f"{field} name no node: {quote(each)}")


def refuse_malformed_node(node: Any, number: int) -> None:
    """Refuse a node that is none, or reads from none before it."""
    name = node.get("name") if isinstance(node, dict) else None
    inputs = node.get("inputs") if isinstance(node, dict) else None
    if not isinstance(name, str) or not isinstance(inputs, list):
        raise UsageError(f"node {number} has no name or no inputs")
    if not all(reads_before(each, number) for each in inputs):
        raise UsageError(f"node {number} ({quote(name)}) reads from no node before it")
    for attributes in filter(None, map(node.get, ATTRIBUTES)):
        pairs = attributes.items() if isinstance(attributes, dict) else [(attributes,)]
        if not all(isinstance(text, str) and text.isprintable() for pair in pairs for text in pair):
            raise UsageError(
                f"node {number} ({quote(name)}) has attributes that are no plain texts"
            )


def reads_before(entry: Any, number: int) -> bool:
    """Return whether an entry of a symbol, [node, output, version], names a node before another."""
    whole = isinstance(entry, list) and all(type(each) is int and each >= 0 for each in entry)
    return bool(whole and entry) and entry[0] < number


def inferred(
    symbol: Any, shapes: Mapping[str, Sequence[int]], source: Source
) -> dict[str, tuple[int, ...]]:
    """Return the shape of each variable.

    Raises:
        UsageError: the inputs do not fit, or one is missing.
    """
    try:
        arguments, _, states = symbol.infer_shape_partial(**shapes)
    except Exception as error:  # noqa: BLE001 - as above
        raise UsageError(f"{source.text}: --input does not fit: {error_text(error)}") from None
    names = [*symbol.list_arguments(), *symbol.list_auxiliary_states()]
    found = dict(zip(names, [*arguments, *states], strict=True))
    for name, shape in found.items():
        if not shape or not all(shape):
            remedy = f"say it by --input {name}=1,3,224,224, with its own sizes"
            raise UsageError(f"{source.text}: the shape of {quote(name)} is not known; {remedy}")
    return found


def filled(name: str, shape: Sequence[int]) -> Any:
    """Return a parameter's values: of normalization as at first, of others small random ones."""
    if name.endswith(ONES):
        return mxnet.nd.ones(shape)
    return mxnet.nd.random.normal(scale=SPREAD, shape=shape)
