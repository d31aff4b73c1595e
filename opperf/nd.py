"""Every operator by name: ``from opperf.nd import Add``."""

from opperf.operators.arithmetic import Add, IMul
from opperf.operators.convolution import Conv2D
from opperf.operators.exponential import Exp
from opperf.operators.fused import ConvReLU
from opperf.operators.gemm import Dot
from opperf.operators.normalization import BatchNorm
from opperf.operators.optimizer import SGDUpdate
from opperf.operators.random import NormalRandom
from opperf.operators.recurrent import LSTM
from opperf.operators.reduction import Sum
from opperf.operators.softmax import Softmax
from opperf.operators.sorting import TopK

__all__ = [
    "LSTM",
    "Add",
    "BatchNorm",
    "Conv2D",
    "ConvReLU",
    "Dot",
    "Exp",
    "IMul",
    "NormalRandom",
    "SGDUpdate",
    "Softmax",
    "Sum",
    "TopK",
]
