"""MXNet's callables for the operators of loss, and their limitations."""

from __future__ import annotations

from functools import partial

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import Limitation
from opperf.mxnet_benchmarks.binding.loss import block, block_of, nll
from opperf.mxnet_benchmarks.limits import CLASS_SUMS
from opperf.operators.loss import classes, ctc, loss, pairs, vectors

TABLE = {
    classes.SoftmaxCrossEntropyLoss: built(
        "mxnet.gluon.loss.SoftmaxCrossEntropyLoss", block
    ).limited(
        *CLASS_SUMS,
    ),
    classes.NLLLoss: built("mxnet.nd.pick + mxnet.nd.negative", nll),
    classes.MultiLabelSoftMarginLoss: built(
        "mxnet.gluon.loss.SigmoidBinaryCrossEntropyLoss", block
    ),
    ctc.CTCLoss: native("mxnet.nd.CTCLoss", blank_label="first").limited(
        Limitation(dtypes=("float64", "float16"), words="data type do not match specified type"),
    ),
    # L1Loss: Gluon's losses take the mean over all axes but the first.
    loss.L1Loss: built("mxnet.gluon.loss.L1Loss", block),
    loss.L2Loss: built("mxnet.gluon.loss.L2Loss", block),
    loss.SigmoidBinaryCrossEntropyLoss: built(
        "mxnet.gluon.loss.SigmoidBinaryCrossEntropyLoss", block
    ),
    # HuberLoss: divided by rho.
    loss.HuberLoss: built("mxnet.gluon.loss.HuberLoss", block),
    pairs.SmoothL1: native("mxnet.nd.smooth_l1"),
    pairs.HingeLoss: built("mxnet.gluon.loss.HingeLoss", block),
    pairs.SquaredHingeLoss: built("mxnet.gluon.loss.SquaredHingeLoss", block),
    pairs.LogisticLoss: built("mxnet.gluon.loss.LogisticLoss", block),
    pairs.BinaryCrossEntropyLoss: built(
        "mxnet.gluon.loss.SigmoidBinaryCrossEntropyLoss", partial(block_of, from_sigmoid=True)
    ),
    pairs.KLDivLoss: built("mxnet.gluon.loss.KLDivLoss", block),
    pairs.PoissonNLLLoss: built("mxnet.gluon.loss.PoissonNLLLoss", block),
    pairs.MakeLoss: native("mxnet.nd.MakeLoss"),
    vectors.TripletLoss: built("mxnet.gluon.loss.TripletLoss", block_of),
    vectors.CosineEmbeddingLoss: built("mxnet.gluon.loss.CosineEmbeddingLoss", block_of).limited(
        Limitation(
            dtypes=("float64",),
            words="expected float64, got float32",
            note="it compares with a zero that is float32",
        ),
    ),
}
