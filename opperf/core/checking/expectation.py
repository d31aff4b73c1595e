"""What a correct framework returns: outputs and gradients of the float64 reference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.check import Check
from opperf.core.checking.derivative import (
    MOST_ELEMENTS,
    directional_errors,
    elementwise_gradient,
    full_gradient,
    unbroadcast,
)
from opperf.core.tensors.tensor import fill, round_to

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.correctness import Comparison
    from opperf.core.checking.tolerance import Bound
    from opperf.core.tensors.tensor import Array


@dataclass
class Expectation:
    """An operator's inputs under a seed, and what must come out of them.

    `operator` is any declaration; all arrays of the reference are float64.
    """

    operator: Any
    seed: int

    @cached_property
    def arrays(self) -> dict[str, Array]:
        """The inputs, in the operator's dtype."""
        declared = self.operator
        return fill(
            declared.domains(),
            declared.shapes,
            dtype=declared.dtype,
            initializer=declared.inputs.get("initializer"),
            seed=self.seed,
        )

    def use(self, arrays: Mapping[str, Array], cotangents: Sequence[Array]) -> None:
        """Take the inputs and the gradients by the outputs from elsewhere, instead of drawing."""
        vars(self).update(arrays=dict(arrays), cotangents=list(cotangents))

    @cached_property
    def exact(self) -> list[Array]:
        """The inputs in float64 (indices stay whole), bit for bit the frameworks' values."""
        tensors = self.operator.tensors
        return [
            array if tensors[name].dtype else array.astype(float)
            for name, array in self.arrays.items()
        ]

    def prefetch(self, direction: str) -> None:
        """Precompute the reference outputs and gradients of a row in this direction."""
        found = [self.outputs(training=direction != "forward")]
        known = self.gradient_kind != "directional_differences" and not self.operator.drawn_gradient
        if "backward" in direction and known:
            found += [[*self.gradients.values()]]

    def outputs(self, *, training: bool) -> list[Array]:
        """Return the reference's outputs."""
        return self.training_outputs if training else self.inference_outputs

    @cached_property
    def inference_outputs(self) -> list[Array]:
        """The outputs of inference."""
        return list(self.operator.evaluate(self.exact))

    @cached_property
    def training_outputs(self) -> list[Array]:
        """The outputs in training mode, where that differs."""
        if self.operator.training_reference is None:
            return self.inference_outputs
        return list(self.operator.evaluate(self.exact, training=True))

    @cached_property
    def cotangents(self) -> list[Array]:
        """A random gradient by each differentiable output, in the operator's dtype."""
        if not self.operator.differentiable:
            return []
        random = np.random.default_rng((self.seed, len(self.arrays), 1))
        outputs = self.operator.outputs()
        shapes = [outputs[position] for position in self.operator.differentiable_outputs]
        return [round_to(random.standard_normal(shape), self.operator.dtype) for shape in shapes]

    @cached_property
    def differentiable(self) -> list[str]:
        """The names of the inputs that have a gradient."""
        return [name for name, tensor in self.operator.tensors.items() if tensor.differentiable]

    def reference(self, *arrays: Array) -> list[Array]:
        """Return the differentiable outputs of training mode."""
        outputs = self.operator.evaluate(arrays, training=True)
        return [outputs[position] for position in self.operator.differentiable_outputs]

    @property
    def gradient_kind(self) -> str:
        """How the expected gradients are found."""
        if self.operator.gradient is not None:
            return "closed_form"
        if self.operator.elementwise:
            return "elementwise_differences"
        large = sum(array.size for array in self.exact) > MOST_ELEMENTS
        return "directional_differences" if large else "finite_differences"

    @property
    def exact_cotangents(self) -> list[Array]:
        """The gradients by the differentiable outputs, in float64."""
        return [cotangent.astype(float) for cotangent in self.cotangents]

    @cached_property
    def gradients(self) -> dict[str, Array]:
        """The gradient by each differentiable input, in full."""
        cotangents = self.exact_cotangents
        if self.gradient_kind == "closed_form":
            found = self.operator.gradient(cotangents, *self.exact, **self.operator.keywords)
            return self.by_input(found)
        differentiate = elementwise_gradient if self.operator.elementwise else full_gradient
        positions = {name: at for at, name in enumerate(self.arrays)}
        return {
            name: differentiate(self.reference, self.exact, positions[name], cotangents)
            for name in self.differentiable
        }

    def gradients_after(self, outputs: Sequence[Array] | None) -> dict[str, Array]:
        """Return the gradients after the draw of these outputs, where what is drawn decides."""
        drawn = self.operator.drawn_gradient
        if drawn is None or outputs is None:
            return self.gradients
        found = drawn(self.exact_cotangents, outputs, *self.exact, **self.operator.keywords)
        return self.by_input(found)

    def by_input(self, gradients: Sequence[Array]) -> dict[str, Array]:
        """Return declared gradients by input; what broadcasting repeats is summed again.

        So a declaration states the gradient of each element of the output alone.
        """
        named = zip(self.differentiable, gradients, strict=True)
        return {name: unbroadcast(gradient, self.arrays[name].shape) for name, gradient in named}

    def check_outputs(self, actual: Sequence[Array], *, training: bool) -> Comparison:
        """Compare a framework's outputs, as the operator says they are to be compared."""
        expected = self.outputs(training=training)
        bound = self.operator.tolerance.bound(self.operator.dtype)
        check = Check(actual, expected, self.exact, bound, training=training)
        comparison: Comparison = self.operator.check_outputs(check)
        return comparison

    def check_gradients(
        self, actual: Mapping[str, Array], outputs: Sequence[Array] | None = None
    ) -> Comparison:
        """Compare a framework's gradients by each input.

        `outputs` are the framework's of the same draw, for an operator that is random.
        """
        bound = self.gradient_bound
        if self.gradient_kind == "directional_differences":
            return directional_errors(
                self.reference, self.exact, self.cotangents, self.by_position(actual), bound
            )
        named = {f"gradient by {name}": array for name, array in actual.items()}
        right = self.gradients_after(outputs)
        expected = {f"gradient by {name}": array for name, array in right.items()}
        check = Check(named, expected, self.exact, bound, outputs=outputs)
        comparison: Comparison = self.operator.check_gradients(check)
        return comparison

    @property
    def gradient_bound(self) -> Bound:
        """How far a gradient may be from the expected, which may be good to some digits only."""
        declared: Bound = self.operator.gradient_bound()
        return declared if self.gradient_kind == "closed_form" else declared.numerical()

    def by_position(self, actual: Mapping[str, Array]) -> dict[int, Array]:
        """Return gradients by their input's position."""
        return {at: actual[name] for at, name in enumerate(self.arrays) if name in actual}
