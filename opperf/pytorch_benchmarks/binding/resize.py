"""PyTorch's resizing and sampling of images."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall, Implementation, native

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step


INTERPOLATE = "torch.nn.functional.interpolate"

SIZE = {"output_size": "size"}


def interpolation(mode: str, **options: object) -> Implementation:
    """Return the interpolation of this mode."""
    return native(INTERPOLATE, rename=SIZE, mode=mode, **options)


def upsample_and_concat(
    enlarge: Callable[..., Any], join: Callable[..., Any], lhs: Any, rhs: Any
) -> Step:
    """Interpolate both -> cat."""
    size = tuple(2 * n for n in lhs.shape[2:])

    def composition() -> Any:
        return join((enlarge(lhs, size), enlarge(rhs, size)), 1)

    return composition


def grid_sample(call: Callable[..., Any], data: Any, grid: Any) -> BoundCall:
    """grid_sample with x and y moved last, in memory as well."""
    last = grid.detach().permute(0, 2, 3, 1).contiguous().requires_grad_(grid.requires_grad)
    step = partial(call, data, last, align_corners=True)

    def unpack(gradients: Sequence[Any]) -> Sequence[Any]:
        by_data, by_grid = gradients
        return by_data, by_grid.permute(0, 3, 1, 2)

    return BoundCall(step, (data, last), unpack)


def affine_grid(
    call: Callable[..., Any], permute: Callable[..., Any], loc: Any, *, target_shape: Any
) -> Step:
    """affine_grid -> permuted view with the planes of x and y first."""
    size = (len(loc), 1, *target_shape)

    def composition() -> Any:
        return permute(call(loc.view(-1, 2, 3), size, align_corners=True), (0, 3, 1, 2))

    return composition


def spatial_transformer(
    make: Callable[..., Any], sample: Callable[..., Any], data: Any, loc: Any, *, target_shape: Any
) -> Step:
    """affine_grid -> grid_sample."""
    size = (len(loc), data.shape[1], *target_shape)

    def composition() -> Any:
        grid = make(loc.view(-1, 2, 3), size, align_corners=True)
        return sample(data, grid, align_corners=True)

    return composition
