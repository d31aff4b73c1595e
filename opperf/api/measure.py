"""`opperf.measure`: time a callable now, or give a function a way to be timed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, overload

from opperf.core.configuration.settings import Settings
from opperf.measuring.callables import measure_callable

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)


class MeasurableFunction(Protocol[P, R_co]):
    """A function that was decorated: it does what it did, and `measure` times it."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call it."""
        ...

    @staticmethod
    def measure(*arguments: object) -> Result:
        """Time it with these arguments."""
        ...


@overload
def measure(
    function: Callable[..., object], *arguments: object, name: str | None = None, **settings: Any
) -> Result: ...
@overload
def measure(
    *, name: str | None = None, **settings: Any
) -> Callable[[Callable[P, R_co]], MeasurableFunction[P, R_co]]: ...
def measure(
    function: Callable[..., object] | None = None,
    *arguments: object,
    name: str | None = None,
    **settings: Any,
) -> Any:
    """Time a call, or without a function return a decorator: `@opperf.measure(budget=1)`.

    A function that is decorated so is the same as before, and as fast; it has a method
    `measure(*arguments)` that times it with the settings of the decorator.

    Args:
        function: what to call, again and again, with the same arguments.
        arguments: its positional arguments.
        name: what the record calls it; by default its own name.
        settings: precision, budget, runs, warmup; see
            `opperf.core.configuration.settings.Settings`.

    Raises:
        UsageError: a setting is out of its range.
    """
    if function is not None:
        return measure_callable(function, *arguments, name=name, **settings)
    Settings(**settings)  # what is wrong is said where it is written

    def decorate(function: Any) -> Any:
        function.measure = partial(measure_callable, function, name=name, **settings)
        return function

    return decorate
