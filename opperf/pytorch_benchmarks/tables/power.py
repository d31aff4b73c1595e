"""PyTorch's callables for the operators of power, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import native
from opperf.operators import power

TABLE = {
    power.Sqrt: native("torch.sqrt"),
    power.Square: native("torch.square"),
    power.Rsqrt: native("torch.rsqrt"),
    power.Reciprocal: native("torch.reciprocal"),
    power.Cbrt: native("torch.pow", exponent=1 / 3),
    power.Rcbrt: native("torch.pow", exponent=-1 / 3),
}
