"""PyTorch's callables for the operators of loss, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import Absent, built, native
from opperf.operators.loss import classes, ctc, loss, pairs, vectors
from opperf.pytorch_benchmarks.binding.loss import (
    averaging,
    cosine_embedding,
    ctc_loss,
    each,
    gaussian_nll,
    half_square,
    hinge,
    huber,
    sample_mean,
    smooth_l1,
    squared_hinge,
    triplet,
    whole,
)

TABLE = {
    classes.SoftmaxCrossEntropyLoss: native("torch.nn.functional.cross_entropy", reduction="none"),
    classes.NLLLoss: each("nll_loss"),
    classes.MultiMarginLoss: each("multi_margin_loss"),
    classes.MultiLabelSoftMarginLoss: each("multilabel_soft_margin_loss"),
    ctc.CTCLoss: built("torch.nn.functional.ctc_loss + torch.log_softmax", ctc_loss),
    loss.L1Loss: built("torch.nn.functional.l1_loss + torch.mean", sample_mean),
    loss.L2Loss: built("torch.nn.functional.mse_loss + torch.mean + torch.mul", half_square),
    loss.SigmoidBinaryCrossEntropyLoss: built(
        "torch.nn.functional.binary_cross_entropy_with_logits + torch.mean", sample_mean
    ),
    # HuberLoss: torch.nn.functional.smooth_l1_loss; huber_loss is not divided by rho.
    loss.HuberLoss: built("torch.nn.functional.smooth_l1_loss + torch.mean", huber),
    pairs.SmoothL1: built("torch.nn.functional.smooth_l1_loss + torch.zeros_like", smooth_l1),
    pairs.HingeLoss: built("torch.relu + torch.mean", hinge),
    pairs.SquaredHingeLoss: built("torch.relu + torch.square + torch.mean", squared_hinge),
    # LogisticLoss: PyTorch's soft margin loss.
    pairs.LogisticLoss: averaging("soft_margin_loss"),
    pairs.BinaryCrossEntropyLoss: averaging("binary_cross_entropy"),
    pairs.KLDivLoss: built("torch.nn.functional.kl_div + torch.sum", sample_mean),
    pairs.PoissonNLLLoss: built("torch.nn.functional.poisson_nll_loss + torch.Tensor.view", whole),
    pairs.GaussianNLLLoss: built(
        "torch.nn.functional.gaussian_nll_loss + torch.mean", gaussian_nll
    ),
    pairs.HingeEmbeddingLoss: averaging("hinge_embedding_loss"),
    pairs.MakeLoss: Absent("to its autograd any tensor is a loss"),
    vectors.TripletLoss: built("torch.square + torch.sum + torch.relu", triplet),
    # TripletMarginLoss: adds 1e-6 to each difference.
    vectors.TripletMarginLoss: each("triplet_margin_loss"),
    # CosineEmbeddingLoss: adds 1e-12 to the squared lengths.
    vectors.CosineEmbeddingLoss: built(
        "torch.nn.functional.cosine_embedding_loss + torch.unsqueeze", cosine_embedding
    ),
    vectors.MarginRankingLoss: each("margin_ranking_loss"),
}
