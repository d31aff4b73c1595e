"""Declaration of an operator: its inputs, reference and costs, stated once for all frameworks.

A subclass is one operator. Its class attributes are its defaults and are never changed; an instance
holds one set of inputs, checked when it is made.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, product
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.calibration import CALIBRATION
from opperf.core.calibration import TAG as CALIBRATION_TAG
from opperf.core.errors import MisfitError, UsageError, quote, unknown
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.core.tensors.bounds import label_of, require_facts, require_outputs, within_bounds
from opperf.core.tensors.inference import proposals
from opperf.core.tensors.inputs import merge_inputs, require_dictionary
from opperf.core.tensors.tensor import (
    CONTIGUOUS,
    DTYPES,
    FLOATS,
    ITEMSIZE,
    find_initializer,
    usual_dtype,
)
from opperf.declaring.reference import Reference
from opperf.legacy.declarations import keep_older_name, refuse_older
from opperf.legacy.inputs import in_todays_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.frameworks.variant import Variant
    from opperf.core.tensors.tensor import Shape, Tensor

OPERATORS = "opperf.operators"
"""Its packages and modules are the categories; plug-ins state theirs."""
DECLARED: dict[str, dict[str, type[Declaration]]] = defaultdict(dict)
"""The operators of each module by their names, in the order of their declaration."""
NO_CHANGE: Mapping[str, Any] = MappingProxyType({})
SIZES = ("small", "typical", "large", "skewed")


class Declaration(Reference):
    """An operator on one set of inputs.

    Subclasses state `tensors`, `sizes` (shapes and attributes by size), `reference` (arrays and
    attributes to one array or several; also a `dtype` where no tensor has one) and `outputs`.

    Args:
        inputs: shapes by tensor name, attributes, `initializer`, `run_backward` and `dtype`; what
            is left out keeps the default of the size, and shapes that would not fit follow; names
            of the older package are translated.
        size: small, typical, large or skewed.

    Raises:
        UsageError: an input is unknown, has the wrong type or does not fit the others.
    """

    category: ClassVar[str]
    tensors: ClassVar[Mapping[str, Tensor]] = {}
    attributes: ClassVar[Mapping[str, object]] = {}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]]
    dtypes: ClassVar[tuple[str, ...]] = FLOATS
    differentiable: ClassVar[bool] = True
    differentiable_outputs: tuple[int, ...] = (0,)
    elementwise: ClassVar[bool] = False
    output_layout: ClassVar[str] = CONTIGUOUS
    training_mode: ClassVar[bool] = False
    fusable: ClassVar[bool] = False
    tags: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, abstract: bool = False) -> None:
        """Register the operator under its module, which decides its category.

        A base class of operators is `abstract`. What is not differentiable inherits no gradient.

        Raises:
            UsageError: an operator states no reference or no sizes.
        """
        super().__init_subclass__()
        refuse_older(cls)
        if not cls.differentiable and "gradient" not in vars(cls):
            cls.gradient = None
        is_own = cls.__module__.startswith(f"{OPERATORS}.")
        if is_own:
            cls.category = cls.__module__.split(".")[2]
        tags = tuple(tag for tag in cls.tags if tag != CALIBRATION_TAG)
        if is_own and cls.__name__ in CALIBRATION:
            tags += (CALIBRATION_TAG,)
        if tags != cls.tags:  # an attribute of its own would hide a declaration's
            cls.tags = tags
        if abstract:
            return
        if missing := [name for name in ("reference", "sizes") if not hasattr(cls, name)]:
            raise UsageError(
                f"operator {cls.__name__} states no {' and no '.join(missing)}; "
                f"a base class of operators says abstract=True"
            )
        DECLARED[cls.__module__][cls.__name__] = cls
        if is_own:
            keep_older_name(cls)

    def __init__(
        self, inputs: Mapping[str, object] | None = None, *, size: str = "typical"
    ) -> None:
        usual = self.defaults(size)
        require_dictionary(self.name(), {} if inputs is None else inputs)
        overrides = in_todays_words(self.name(), inputs or {}, usual)
        self.size = size if not inputs or set(inputs) <= {"dtype", "run_backward"} else None
        with within_bounds(self.name(), overrides, usual):
            self.inputs = merge_inputs(self.name(), usual, overrides)
            self.check_choices()
            require_outputs(label_of(self.name(), overrides, usual), self.fit(overrides, usual))
            self.settle()
            if self.size is None:
                require_facts(self)

    @classmethod
    def name(cls) -> str:
        """Return the operator's name: its class name."""
        return cls.__name__

    @classmethod
    def table_class(cls) -> type[Declaration]:
        """Return the class that framework tables list; bound classes derive from it."""
        return cls

    @classmethod
    def declared(cls) -> type[Declaration]:
        """Return `table_class()`: the spelling of frameworks written before 2026-11-23."""
        return cls.table_class()

    @classmethod
    def defaults(cls, size: str) -> dict[str, object]:
        """Return a new dictionary of the inputs of a size, in display order."""
        if not isinstance(size, str) or size not in cls.sizes:
            raise UsageError(unknown("size", size, cls.sizes, f" of {cls.name()}"))
        chosen = {**cls.attributes, **cls.sizes[size]}
        shapes = {name: chosen.pop(name) for name in cls.tensors}
        filling = {"initializer": find_initializer("normal")} if cls.tensors else {}
        switches = {"run_backward": cls.differentiable, "dtype": usual_dtype(cls.dtypes)}
        return {**shapes, **chosen, **filling, **switches}

    def check_choices(self) -> None:
        """Validate dtype, initializer and run_backward."""
        dtype = self.inputs["dtype"]
        if not isinstance(dtype, str) or dtype not in DTYPES:
            raise UsageError(unknown("dtype", dtype, DTYPES, f" for {self.name()}"))
        if "initializer" in self.inputs:
            self.inputs["initializer"] = find_initializer(self.inputs["initializer"])
        if self.inputs["run_backward"] and not self.differentiable:
            raise self.misfit("run_backward", "the operator has no backward; leave it out")

    def settle(self) -> None:
        """Derive attributes from the inputs once these are valid; a few operators override it."""

    def fit(
        self, overrides: Mapping[str, object], usual: Mapping[str, object]
    ) -> tuple[Shape, ...]:
        """Infer the shapes left out where the defaults do not fit the overrides.

        Returns the shapes of the outputs.

        Raises:
            MisfitError: what is given contradicts itself or the operator.
        """
        left_out = [name for name in self.tensors if name not in overrides]
        fixed = {name: self.inputs[name] for name in self.inputs if name not in left_out}
        sizes, errors = (self.defaults(size) for size in self.sizes), []
        inferred = proposals(sizes, usual, fixed, left_out)
        for proposal in chain([NO_CHANGE], inferred if {*overrides} & {*self.tensors} else ()):
            self.inputs |= proposal
            try:
                return self.outputs()
            except MisfitError as misfit:
                errors.append(misfit)
        errors = [*errors[1:], *errors[:1]]  # those of the likeliest shapes first
        raise next((error for error in errors if error.name not in left_out), errors[0])

    @property
    def keywords(self) -> dict[str, Any]:
        """The arguments that are not tensors."""
        known = {*self.tensors, "initializer", "run_backward", "dtype"}
        return {name: value for name, value in self.inputs.items() if name not in known}

    def domains(self) -> Mapping[str, Tensor]:
        """Return the tensors with their value ranges for these inputs.

        An index's range depends on the shape that it points into; such operators override this.
        """
        return self.tensors

    def misfit(self, name: str, rule: str) -> MisfitError:
        """Return the error of an input that violates a rule."""
        return MisfitError(f"{self.name()}: {name}={quote(self.inputs[name])}: {rule}", name)

    def require(self, condition: bool, name: str, rule: str) -> None:
        """Raise the error of an input that violates a rule, unless the condition holds."""
        if not condition:
            raise self.misfit(name, rule)

    def require_rank(self, name: str, rank: int) -> None:
        """Require this number of dimensions of a tensor."""
        self.require(len(self.inputs[name]) == rank, name, f"must have {rank} dimensions")

    def require_least_rank(self, name: str, least: int) -> None:
        """Require at least this number of dimensions of a tensor."""
        plural = "" if least == 1 else "s"
        fits = len(self.inputs[name]) >= least
        self.require(fits, name, f"must have at least {least} dimension{plural}")

    def parts(self) -> tuple[Declaration, ...]:
        """Return the sequence of operators that a fused one replaces, each fed by the one before.

        Empty where it is no such sequence: a loop, or a result used twice.
        """
        return ()

    def memory_needed(self) -> int:
        """Return about how many bytes a checked measurement takes, with its float64 reference."""
        elements = sum(map(prod, (*self.shapes.values(), *self.outputs())))
        gradients = 2 if self.inputs["run_backward"] else 1
        return elements * (ITEMSIZE[self.dtype] + ITEMSIZE["float64"] * 2) * gradients

    @classmethod
    def variants(cls) -> tuple[Variant, ...]:
        """Return the variants to measure: fused and unfused where there are both."""
        return ("fused", "unfused") if cls.fusable else ("only",)

    @classmethod
    def all_directions(cls) -> tuple[str, ...]:
        """Return the directions of the operator, whatever its inputs."""
        return DIRECTIONS if cls.differentiable else DIRECTIONS[:1]

    def directions(self) -> tuple[str, ...]:
        """Return the directions for these inputs; integers have no gradient."""
        differentiated = self.inputs["run_backward"] and self.dtype in FLOATS
        return self.all_directions() if differentiated else DIRECTIONS[:1]

    def rows(self) -> tuple[tuple[Variant, str], ...]:
        """Return every variant in every direction, in the order of measurement."""
        return tuple(product(self.variants(), self.directions()))
