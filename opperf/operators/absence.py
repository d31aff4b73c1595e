"""What only one of the measured frameworks computes."""

from opperf.core.limitation import Limitation

ONLY_MXNET = (Limitation(framework="pytorch", words="pytorch has no implementation"),)
ONLY_PYTORCH = (Limitation(framework="mxnet", words="mxnet has no implementation"),)
