"""int8 matrix products requantized to int8, fused and unfused.

Scales are powers of two, so that all frameworks round alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from opperf.declaring.composition import part_of
from opperf.operators.quantization import QuantizedDense, Requantize, quantized_dense, requantize

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array
    from opperf.declaring.declaration import Declaration


def dense_requantize(data: Array, weight: Array, *, scale: float) -> Array:
    """Return round(data @ weight^T * scale) as int8."""
    return requantize(quantized_dense(data, weight), scale=scale)


class DenseRequantize(QuantizedDense):
    """round(data @ weight^T * scale) in int8.

    Typical is the first layer of BERT-base's feed-forward part, for 128 tokens.
    """

    fusable = True
    attributes = {"scale": Requantize.attributes["scale"]}
    reference: ClassVar[Any] = dense_requantize

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int8."""
        return ("int8",)

    def parts(self) -> tuple[Declaration, ...]:
        """Return the product and the requantization."""
        product = part_of(self, QuantizedDense, **self.shapes)
        scale = self.inputs["scale"]
        return product, part_of(self, Requantize, data=self.outputs()[0], scale=scale)
