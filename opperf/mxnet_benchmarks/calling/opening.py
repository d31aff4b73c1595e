"""Making a network of MXNet: by a user's factory, from ours, Gluon's model zoo, a symbol file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import mxnet
import numpy as np

from opperf.calls.capturing.factory import batch_of, call_factory, find
from opperf.calls.capturing.source import BUILTIN, FACTORY
from opperf.core.errors import UsageError
from opperf.mxnet_benchmarks.calling.network import Example, GluonNetwork
from opperf.mxnet_benchmarks.calling.places import by_prefix
from opperf.mxnet_benchmarks.calling.symbol_file import from_symbol
from opperf.mxnet_benchmarks.calling.tracing import Loss, flat
from opperf.networks.mxnet.libraries import make_library_model
from opperf.networks.registry import find_entry, make_model

if TYPE_CHECKING:
    from opperf.calls.capturing.source import Source

VARIABLES = ("MXNET_", "OMP_", "DMLC_")
WANTED = "must return a Gluon block and its example inputs, and a loss and its targets if it likes"


class GluonNetworks:
    """MXNet's networks."""

    def open(self, source: Source) -> GluonNetwork:
        """Make a network."""
        makers = {
            FACTORY: by_factory,
            BUILTIN: built_in,
            "model_zoo": from_model_zoo,
            "symbol": from_symbol,
        }
        if source.kind not in makers:
            raise UsageError(f"{source.text}: mxnet has {', '.join(makers)}")
        network = GluonNetwork(makers[source.kind](source), source.mode)
        if network.training and not network.learned:
            raise UsageError(
                f"{source.text} has no parameters; --mode inference captures a forward"
            )
        return network

    def state(self) -> dict[str, object]:
        """Return what MXNet does by default for all that comes after."""
        bulk = mxnet.engine.set_bulk_size(0)
        mxnet.engine.set_bulk_size(bulk)
        return {
            "NumPy arrays": mxnet.util.is_np_array(),
            "NumPy shapes": mxnet.util.is_np_shape(),
            "recording": mxnet.autograd.is_recording(),
            "training mode": mxnet.autograd.is_training(),
            "context": str(mxnet.current_context()),
            "bulk size of the engine": bulk,
            "environment variables": {
                name: text for name, text in os.environ.items() if name.startswith(VARIABLES)
            },
        }


def by_factory(source: Source) -> Example:
    """Return what a user's function makes: a block, its inputs, a loss and its targets."""
    factory = find(source)
    found = call_factory(source, factory)
    parts = found if isinstance(found, tuple) else (found,)
    kinds = ", ".join(type(part).__name__ for part in parts)
    if len(parts) not in (2, 3, 4) or not isinstance(parts[0], mxnet.gluon.Block):
        raise UsageError(f"{source.text} returned {kinds or 'nothing'}; {WANTED}")
    block, inputs, *rest = parts
    if not isinstance(block, mxnet.gluon.HybridBlock):
        kind = type(block).__name__
        raise UsageError(
            f"{source.text} returned {kind}, which cannot be hybridized: no HybridBlock"
        )
    loss = rest[0] if rest else None
    targets = as_tuple(rest[1]) if len(rest) > 1 else ()
    for each in (*flat(inputs), *flat(targets)):
        if not isinstance(each, mxnet.nd.NDArray) or isinstance(each, mxnet.np.ndarray):
            raise UsageError(
                f"{source.text} returned {kinds}; inputs and targets must be arrays of mxnet.nd"
            )
    return Example(
        block=block,
        inputs=as_tuple(inputs),
        module=by_prefix(block),
        loss=None if loss is None else Loss(loss, targets),
        batch=batch_of(source, factory),
    )


def as_tuple(values: Any) -> tuple[Any, ...]:
    """Return the arguments of a call: of a list each, of an array itself."""
    return tuple(values) if isinstance(values, (list, tuple)) else (values,)


def built_in(source: Source) -> Example:
    """Return one of our own networks."""
    model = make_model(find_entry(source.name, "mxnet"))
    model.initialize(mxnet.init.Xavier())
    batch = source.batch or model.batch
    inputs, target = model.example(batch, np.random.default_rng(0))
    loss = Loss(model.criterion(), (model.tensor(target),))
    return Example(model, (*map(model.tensor, inputs),), by_prefix(model), loss, batch)


def from_model_zoo(source: Source) -> Example:
    """Return a classifier of Gluon's model zoo with random weights, on random images."""
    model = make_library_model(f"{source.kind}:{source.name}")
    model.initialize(mxnet.init.Xavier())
    batch = source.batch or 1
    inputs, _ = model.example(batch, np.random.default_rng(0))
    block = model.network
    return Example(block, (*map(model.tensor, inputs),), by_prefix(block), batch=batch)
