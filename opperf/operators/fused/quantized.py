"""Products of int8 whose sums are brought back to eight bits, fused and as parts.

Scales are powers of two, so that no framework rounds otherwise than another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from opperf.operators.fused.fused import part_of
from opperf.operators.quantization import QuantizedDense, Requantize, quantized_dense, requantize

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array
    from opperf.declaring.declaration import Declaration


def dense_requantize(data: Array, weight: Array, *, scale: float) -> Array:
    """Multiply whole numbers by the transposed weight, then return the nearest int8 by scale."""
    return requantize(quantized_dense(data, weight), scale=scale)


class DenseRequantize(QuantizedDense):
    """An int8 matrix times a transposed int8 weight, its sums scaled and rounded to int8.

    MXNet's fused form is the node of a graph that its quantization pass converts, without the
    conversion of the input. Typical is the first layer of BERT-base's feed-forward part, for 128
    tokens.
    """

    fusable = True
    attributes = {"scale": Requantize.attributes["scale"]}
    reference: ClassVar[Any] = dense_requantize

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int8."""
        return ("int8",)

    def parts(self) -> tuple[Declaration, ...]:
        """Return the product and the change of scale."""
        product = part_of(self, QuantizedDense, **self.shapes)
        scale = self.inputs["scale"]
        return product, part_of(self, Requantize, data=self.outputs()[0], scale=scale)
