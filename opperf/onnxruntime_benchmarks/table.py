"""The operators of ONNX that are one of ours as they are."""

from __future__ import annotations

from opperf.onnxruntime_benchmarks.node import node
from opperf.operators import exponential, power, rounding
from opperf.operators.activation import activation, rectifier
from opperf.operators.arithmetic import arithmetic
from opperf.operators.gemm import contractions, gemm
from opperf.operators.join_split import join_split
from opperf.operators.pooling import whole
from opperf.operators.shape import shape
from opperf.operators.softmax import softmax

TABLE = {
    activation.Sigmoid: node("Sigmoid"),
    activation.Tanh: node("Tanh"),
    arithmetic.Add: node("Add"),
    arithmetic.Divide: node("Div"),
    arithmetic.Multiply: node("Mul"),
    arithmetic.Subtract: node("Sub"),
    contractions.MatMul: node("MatMul"),
    exponential.Exp: node("Exp"),
    exponential.Log: node("Log"),
    gemm.BatchDot: node("MatMul"),
    gemm.Dense: node("Gemm", transB=1),
    gemm.Dot: node("MatMul"),
    join_split.Concat: node("Concat"),
    whole.GlobalAvgPool2D: node("GlobalAveragePool"),
    power.Reciprocal: node("Reciprocal"),
    power.Sqrt: node("Sqrt"),
    rectifier.ReLU: node("Relu"),
    rounding.Ceil: node("Ceil"),
    rounding.Floor: node("Floor"),
    shape.Transpose: node("Transpose", rename={"axes": "perm"}),
    softmax.LogSoftmax: node("LogSoftmax"),
    softmax.Softmax: node("Softmax"),
}
