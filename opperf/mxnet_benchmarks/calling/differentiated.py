"""A backward that MXNet runs only for a forward that it has recorded.

By their names alone some operators of a backward cannot be called: what their forward drew or kept
is a state of the graph, and of some outputs the gradient must not be asked for. Their forward is
recorded once, and `autograd.backward` runs its backward again and again; the profiler sees that
operator alone. The graph of gradients is made anew in each call, some 50 us, which a direct call
does not need.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from opperf.mxnet_benchmarks.calling.registry import Invocation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.mxnet_benchmarks.calling.arguments import OperatorArguments
    from opperf.mxnet_benchmarks.calling.forward import ForwardCall

STATEFUL = frozenset(
    {
        "_backward_Dropout", "_backward_RNN", "_backward_BatchNorm_v1", "_backward_BilinearSampler",
        "_backward_Convolution_v1", "_backward_Correlation", "_backward_Crop",
        "_backward_GridGenerator", "_backward_IdentityAttachKLSparseReg", "_backward_InstanceNorm",
        "_backward_L2Normalization", "_backward_MakeLoss", "_backward_Pooling_v1",
        "_backward_ROIPooling",
        "_backward_SVMOutput", "_backward_SequenceLast", "_backward_SequenceMask",
        "_backward_SequenceReverse", "_backward_SliceChannel", "_backward_SpatialTransformer",
        "_backward_SwapAxis", "_backward__contrib_fft", "_backward__contrib_ifft",
    }
)  # fmt: skip
"""What needs the state of its forward, among them all that MXNet registers in its oldest way."""
REFUSED: Mapping[str, int] = MappingProxyType(
    {"_backward_Embedding": 0, "_backward_softmax_cross_entropy": 1}
)
"""The output of an operator that it refuses to write: the gradient of indices or labels."""


def requests_of(operator: str, given: OperatorArguments) -> tuple[str, ...]:
    """Return what is asked of each output: nothing of one that the operator refuses to write."""
    refused = REFUSED.get(operator)
    return tuple("null" if at == refused else each for at, each in enumerate(given.requests))


def record(
    mxnet: Any,
    forward: ForwardCall,
    arrays: Sequence[Any],
    outputs: Sequence[Any],
    requests: Sequence[str],
    attributes: Mapping[str, str],
) -> Callable[[], Any]:
    """Record a forward on a backward's arrays; return a partial that runs its backward.

    Args:
        mxnet: the framework.
        forward: what is recorded.
        arrays: what the backward reads.
        outputs: what it writes to, None where the request is "null".
        requests: what is asked of each output.
        attributes: those of the forward, in the element types of the arrays.

    """
    dtype = arrays[0].dtype
    drawn = forward.inputs({at: arrays[at].asnumpy() for at in forward.read.values()})
    inputs = [
        arrays[forward.read[position]].detach()
        if position in forward.read
        else mxnet.nd.array(values.reshape(tensor.shape), dtype=dtype)
        for position, (tensor, values) in enumerate(zip(forward.tensors, drawn, strict=True))
    ]
    wanted = [at for at, request in enumerate(requests) if request != "null"]
    mxnet.autograd.mark_variables(
        [inputs[at] for at in wanted], [outputs[at] for at in wanted],
        [requests[at] for at in wanted],
    )  # fmt: skip
    with mxnet.autograd.record(train_mode=True):
        heads = Invocation(mxnet, forward.operator, inputs, attributes).step()()
    gradients = [arrays[forward.gradients[number]] for number in sorted(forward.gradients)]
    heads = [heads[number] for number in sorted(forward.gradients)]
    return partial(
        differentiate, mxnet.autograd.backward, heads, gradients, [outputs[at] for at in wanted]
    )


def differentiate(
    backward: Callable[..., None], heads: Sequence[Any], gradients: Sequence[Any], into: list[Any]
) -> list[Any]:
    """Run the backward of what was recorded, which stays; return what it has written."""
    backward(heads, gradients, retain_graph=True)
    return into
