"""MXNet's random operators and dropout."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built, native
from opperf.mxnet_benchmarks.binding.cast import element_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def sample(
    call: Callable[..., Any], *, shape: Any, dtype: str, device: str, **parameters: float
) -> Step:
    """Draw samples; the device is MXNet's current one."""
    del device
    return partial(call, *parameters.values(), shape, dtype=element_type(dtype))


def sample_numpy(
    call: Callable[..., Any], *, shape: Any, dtype: str, device: str, **parameters: float
) -> Step:
    """Draw by the NumPy interface, which calls the shape `size` and draws in float32."""
    del dtype, device
    return partial(call, *parameters.values(), size=shape)


def sample_typed(
    call: Callable[..., Any], *, shape: Any, dtype: str, device: str, **parameters: float
) -> Step:
    """Draw by the NumPy interface, with the dtype."""
    del device
    return partial(call, *parameters.values(), size=shape, dtype=dtype)


def bernoulli(
    call: Callable[..., Any], *, prob: float, shape: Any, dtype: str, device: str
) -> Step:
    """Bernoulli samples by probability."""
    del device
    return partial(call, prob, None, shape, dtype)


def bernoulli_in_place(call: Callable[..., Any], data: Any, *, prob: float) -> Step:
    """Bernoulli samples by probability, stored in data."""
    return partial(call, prob, None, data.shape, data.dtype, out=data.as_np_ndarray())


def whole_numbers(
    call: Callable[..., Any], *, low: int, high: int, shape: Any, dtype: str, device: str
) -> Step:
    """Uniform integers as int64."""
    del dtype, device
    return partial(call, low, high, shape, dtype="int64")


def rows(call: Callable[..., Any], *parameters: Any, count: int) -> Step:
    """A row of samples per parameter, in the parameters' dtype."""
    return partial(call, *parameters, shape=count, dtype=parameters[0].dtype)


def sampling(name: str) -> Implementation:
    """Return the implementation of samples of a distribution."""
    return built(f"mxnet.nd.random.{name}", sample)


def numpy_sampling(name: str) -> Implementation:
    """Return the implementation of samples by the NumPy interface."""
    return built(f"mxnet.np.random.{name}", sample_numpy)


def row_sampling(name: str) -> Implementation:
    """Return the implementation of samples with tensors of parameters."""
    return built(f"mxnet.nd.sample_{name}", rows)


def density(name: str) -> Implementation:
    """Return the implementation of a probability density."""
    return native(f"mxnet.nd.random_pdf_{name}")


def drop(call: Callable[..., Any], data: Any, *, p: float, training: bool, **options: Any) -> Step:
    """Dropout; autograd's recording scope selects training."""
    del training
    return partial(call, data, p=p, **options)


def channels(spatial: int) -> Implementation:
    """Return dropout with one mask value over `spatial` axes."""
    axes = tuple(range(2, 2 + spatial))
    return built("mxnet.nd.Dropout", partial(drop, axes=axes))
