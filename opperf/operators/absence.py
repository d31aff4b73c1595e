"""What only one of the measured frameworks computes or differentiates."""

from opperf.core.frameworks.limitation import Limitation
from opperf.operators.accumulation import BACKWARD

ONLY_MXNET = (Limitation(framework="pytorch", words="pytorch has no implementation"),)
ONLY_PYTORCH = (Limitation(framework="mxnet", words="mxnet has no implementation"),)
NO_MXNET_GRADIENT = Limitation(
    framework="mxnet",
    directions=BACKWARD,
    words="is non-differentiable because it didn't register FGradient",
)
