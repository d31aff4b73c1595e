"""The operators that MXNet registers, by the public names under which they are reached."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from opperf.coverage.public import Public

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.coverage.public import Known

PLACES = {
    "_contrib_": ("mxnet.nd.contrib",),
    "_image_": ("mxnet.nd.image",),
    "_linalg_": ("mxnet.nd.linalg",),
    "_random_": ("mxnet.nd.random",),
    "_sparse_": ("mxnet.nd.sparse",),
    "_np_": ("mxnet.np", "mxnet.np.linalg"),
    "_npi_": ("mxnet.np", "mxnet.np.random", "mxnet.np.linalg"),
    "_npx_": ("mxnet.npx",),
    "_": (),
    "": ("mxnet.nd",),
}
"""Where MXNet puts what is registered with a prefix; the first that fits decides."""
REGISTRIES = (
    "mxnet.nd",
    "mxnet.nd.contrib",
    "mxnet.nd.image",
    "mxnet.nd.linalg",
    "mxnet.nd.random",
    "mxnet.nd.sparse",
    "mxnet.np",
    "mxnet.np.linalg",
    "mxnet.np.random",
    "mxnet.npx",
    "mxnet.npx.random",
)


def public(mxnet: Any, knowledge: Known) -> Public:
    """Return the operators of MXNet's registry that have a public name, each once.

    An operator that is reached under several names counts in the first registry that has one, and
    several behind one function, as for arrays and numbers, count as that function.
    What has none (gradients, forms with a number, what graphs are made of) does not count.
    """
    registries: dict[str, set[str]] = {registry: set() for registry in REGISTRIES}
    same: dict[str, str] = {}
    for names in registered_names(mxnet):
        found = sorted(
            {dotted for name in names for dotted in places(mxnet, name, knowledge)}, key=rank
        )
        if found:
            registries[found[0].rpartition(".")[0]].add(found[0])
        for dotted in found:
            same.setdefault(dotted, found[0])
    return Public({name: sorted(found) for name, found in registries.items()}, same)


def registered_names(mxnet: Any) -> Sequence[Sequence[str]]:
    """Return the names of each registered operator, aliases together: they share one handle."""
    library, check = mxnet.base._LIB, mxnet.base.check_call  # noqa: SLF001 - there is no other way
    count, array = ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    check(library.MXListAllOpNames(ctypes.byref(count), ctypes.byref(array)))
    names: dict[int | None, list[str]] = defaultdict(list)
    for name in sorted(array[index] or b"" for index in range(count.value)):
        handle = ctypes.c_void_p()
        check(library.NNGetOpHandle(name, ctypes.byref(handle)))
        names[handle.value].append(name.decode())
    return [*names.values()]


def places(mxnet: Any, name: str, knowledge: Known) -> Iterator[str]:
    """Yield the public dotted names that lead to a registered name."""
    if name in knowledge.public:
        yield knowledge.public[name]
        return
    prefix = next(prefix for prefix in PLACES if name.startswith(prefix))
    short = name.removeprefix(prefix)
    for place in PLACES[prefix]:
        module = mxnet
        for part in place.split(".")[1:]:
            module = getattr(module, part)
        if hasattr(module, short) and not short.startswith("_"):
            yield f"{place}.{short}"


def rank(dotted: str) -> tuple[int, bool, int, str]:
    """Return what orders an operator's names: its registry, then the plainer name."""
    registry, _, name = dotted.rpartition(".")
    return REGISTRIES.index(registry), name != name.lower(), len(name), name
