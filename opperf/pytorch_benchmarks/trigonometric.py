"""PyTorch's trigonometric functions."""

from opperf.core.implementation import native
from opperf.operators import hyperbolic, trigonometric

TABLE = {
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
    hyperbolic.Sinh: native("torch.sinh"),
    hyperbolic.Cosh: native("torch.cosh"),
    hyperbolic.ArcSinh: native("torch.asinh"),
    hyperbolic.ArcCosh: native("torch.acosh"),
    hyperbolic.ArcTanh: native("torch.atanh"),
}
