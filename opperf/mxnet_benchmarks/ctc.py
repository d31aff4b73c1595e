"""MXNet's CTC loss, which takes logits."""

from opperf.core.frameworks.implementation import native
from opperf.operators.loss import ctc

TABLE = {
    ctc.CTCLoss: native("mxnet.nd.CTCLoss", blank_label="first"),
}
