"""The suites of the older package (dl-operator-benchmarks): their names, operators and order."""

OLDER_SUITES = {
    "run_all_arithmetic_operations_benchmarks": (
        "Add", "Multiply", "Subtract", "Divide", "Modulo", "Power", "Negative",
        "IAdd", "ISub", "IMul", "IDiv", "IMod",
    ),
    "run_all_comparison_operations_benchmarks": (
        "Lesser", "LesserEqual", "Greater", "GreaterEqual", "Equal", "NotEqual",
    ),
    "run_all_logical_comparison_operations_benchmarks": (
        "LogicalAnd", "LogicalOr", "LogicalXor", "LogicalNot",
    ),
    "run_all_exponential_and_log_operations_benchmarks": ("Log", "Exp"),
    "run_all_powers_operations_benchmarks": ("Sqrt", "Square"),
    "run_all_gemm_operations_benchmarks": ("Dot", "BatchDot"),
    "run_all_sort_and_search_operations_benchmarks": (
        "Sort", "ArgSort", "TopK", "ArgMax", "ArgMin",
    ),
    "run_all_tensor_creation_operations_benchmarks": (
        "Zeros", "Ones", "ZerosLike", "OnesLike", "Full", "Arange",
    ),
    "run_customop_operations_benchmarks": ("CustomOpElementwiseAdd",),
    "run_all_gluon_nn_activation_operations_benchmarks": (
        "LeakyReLU", "PReLU", "Sigmoid", "Softmax", "LogSoftmax", "Tanh", "ELU", "SELU", "Swish",
    ),
    "run_all_gluon_nn_basic_operations_benchmarks": ("Dense", "Flatten", "Lambda"),
    "run_all_gluon_nn_convolution_operations_benchmarks": (
        "Conv2D", "Conv2DTranspose", "Conv1D", "Conv1DTranspose",
    ),
    "run_all_gluon_nn_loss_operations_benchmarks": (
        "L1Loss", "L2Loss", "SigmoidBinaryCrossEntropyLoss", "SoftmaxCrossEntropyLoss",
    ),
    "run_all_gluon_normalization_operations_benchmarks": ("Dropout", "BatchNorm"),
    "run_all_gluon_nn_pooling_operations_benchmarks": (
        "MaxPool1D", "MaxPool2D", "AvgPool1D", "AvgPool2D",
        "GlobalMaxPool1D", "GlobalMaxPool2D", "GlobalAvgPool1D", "GlobalAvgPool2D",
    ),
    "run_all_gluon_recurrent_operations_benchmarks": ("RNN", "LSTM", "GRU"),
}  # fmt: skip
