"""What only one of the measured frameworks computes or differentiates.

A framework computes an operator where it has a call of its own for it, or two or three that a user
would write in its place.
"""

from dataclasses import replace

from opperf.core.frameworks.limitation import Limitation
from opperf.declaring.accumulation import BACKWARD

ONLY_MXNET = (Limitation(framework="pytorch", words="pytorch has no implementation"),)
ONLY_PYTORCH = (Limitation(framework="mxnet", words="mxnet has no implementation"),)


def only_mxnet(note: str) -> tuple[Limitation, ...]:
    """Return that PyTorch lacks an operator, and what a note says of it."""
    return (replace(ONLY_MXNET[0], note=note),)


NO_MXNET_GRADIENT = Limitation(
    framework="mxnet",
    directions=BACKWARD,
    words="is non-differentiable because it didn't register FGradient",
)
