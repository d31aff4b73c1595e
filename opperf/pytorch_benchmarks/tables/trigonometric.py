"""PyTorch's callables for the operators of trigonometric, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.trigonometric import complex_numbers, hyperbolic, trigonometric
from opperf.pytorch_benchmarks.binding.fft import JOIN, PART, from_pairs, of_pairs, to_pairs

TABLE = {
    complex_numbers.Polar: built(f"torch.polar + {PART}", to_pairs),
    complex_numbers.Angle: built(f"{JOIN} + torch.angle", from_pairs),
    complex_numbers.Sgn: built(f"{JOIN} + torch.sgn + {PART}", of_pairs),
    hyperbolic.Sinh: native("torch.sinh"),
    hyperbolic.Cosh: native("torch.cosh"),
    hyperbolic.ArcSinh: native("torch.asinh"),
    hyperbolic.ArcCosh: native("torch.acosh"),
    hyperbolic.ArcTanh: native("torch.atanh"),
    trigonometric.Sin: native("torch.sin"),
    trigonometric.Cos: native("torch.cos"),
    trigonometric.Tan: native("torch.tan"),
    trigonometric.ArcSin: native("torch.asin"),
    trigonometric.ArcCos: native("torch.acos"),
    trigonometric.ArcTan: native("torch.atan"),
    trigonometric.ArcTan2: native("torch.atan2"),
    trigonometric.Hypot: native("torch.hypot"),
    trigonometric.Radians: native("torch.deg2rad"),
    trigonometric.Degrees: native("torch.rad2deg"),
    trigonometric.Sinc: native("torch.sinc"),
}
