"""MXNet's choice between elements."""

from opperf.core.frameworks.implementation import native
from opperf.operators.indexing import where

TABLE = {
    where.Where: native("mxnet.nd.where"),
}
