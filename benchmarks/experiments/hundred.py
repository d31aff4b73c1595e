"""The operators of PyTorch that experiments over all of the hundred take.

They are the first 128 that were declared. Written down, so that a figure of today is one of the
same operators as that of a year ago.
"""

NAMES = """\
AdamUpdate, AdaptiveAvgPool2D, Add, AddReLU, Arange, ArgMax, ArgMin, ArgSort, AvgPool1D,
AvgPool2D, AvgPool3D, BatchDot, BatchNorm, CTCLoss, Cast, Cholesky, Clip, Concat, Conv1D,
Conv1DTranspose, Conv2D, Conv2DTranspose, Conv3D, ConvBatchNorm, ConvBatchNormReLU, ConvReLU,
CumSum, CustomOpElementwiseAdd, Dense, DenseReLU, DepthwiseConv2D, Divide, Dot, Dropout, ELU,
Embedding, Equal, Exp, Expm1, Flatten, Full, GRU, GatherND, GELU, GlobalAvgPool1D,
GlobalAvgPool2D, GlobalMaxPool1D, GlobalMaxPool2D, Greater, GreaterEqual, GroupNorm, HuberLoss,
IAdd, IDiv, IMod, IMul, ISub, InstanceNorm, Inverse, L1Loss, L2Loss, LSTM, Lambda, LayerNorm,
LayerNormResidual, LeakyReLU, Lesser, LesserEqual, Log, LogSoftmax, LogicalAnd, LogicalNot,
LogicalOr, LogicalXor, Max, MaxPool1D, MaxPool2D, MaxPool3D, Mean, Min, Modulo, Multiply,
Negative, Norm, NormalRandom, NotEqual, OneHot, Ones, OnesLike, PReLU, Pad, Power, Prod, QR,
RMSPropUpdate, RNN, ReLU, Reshape, SGDMomentumUpdate, SGDUpdate, SVD, ScaledDotProductAttention,
ScatterND, SELU, Shuffle, Sigmoid, SigmoidBinaryCrossEntropyLoss, Softmax,
SoftmaxCrossEntropyLoss, Softplus, Softsign, Sort, Split, Sqrt, Square, Stack, Subtract, Sum,
Swish, Take, Tanh, Tile, TopK, Transpose, UniformRandom, Where, Zeros, ZerosLike"""
HUNDRED = f"name in ({NAMES})"
"""As a filter of `-k`."""
