"""Looking for a machine's peaks: what is asked of which child, and what it answers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.roofline.peaks import Bandwidth, Product
from opperf.doctor import peaks
from opperf.doctor.child import Survey, multiply, survey
from opperf.doctor.peaks import PeakSearch, peak_findings, search_peaks, sizes, thread_levels
from opperf.doctor.ways import MOVES, PRODUCTS, Way, bind
from opperf.measuring.worker.handle import Limits, Worker

if TYPE_CHECKING:
    from opperf.core.frameworks.framework import Framework

KIB, MIB, GIB = 2**10, 2**20, 2**30
FOUND = Bandwidth(device="cpu", threads=1, nbytes=KIB, kind="copy", way="numpy.copyto", rate=2e9)


def test_sizes_go_up_to_a_quarter_of_the_free_memory() -> None:
    """From 16 KiB to 256 MiB, each twice the last."""
    assert sizes(64 * GIB) == tuple(16 * KIB << step for step in range(15))
    assert sizes(None)[-1] == 256 * MIB
    assert sizes(40 * MIB)[-1] == 8 * MIB
    assert sizes(1) == (16 * KIB,)


def test_sizes_just_within_a_cache_are_added() -> None:
    """One that is larger than all of them is not, nor one that nobody knows."""
    added = set(sizes(None, [32 * KIB, MIB, GIB, None])) - set(sizes(None))
    assert added == {24 * KIB, 768 * KIB}


def test_one_thread_and_all_of_them() -> None:
    """Which on a single processor are the same, as where nobody knows how many there are."""
    assert thread_levels(8) == (1, 8)
    assert thread_levels(1) == (1,)
    assert thread_levels(None) == (1,)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Return what children are asked for, none of which is started."""
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(
        peaks, "ask", lambda _, name, want: asked.append((name, want.device, want.threads))
    )
    return asked


def test_the_fastest_framework_is_asked_beside_numpy(asked: list[tuple[Any, ...]]) -> None:
    """For one thread and for all; the GPU on one thread of the host."""
    search_peaks(["mxnet", "pytorch"], {"cores": 4, "gpu": ["A GPU"]}, lambda _: None)
    assert asked == [
        ("numpy", "cpu", 1),
        ("pytorch", "cpu", 1),
        ("numpy", "cpu", 4),
        ("pytorch", "cpu", 4),
        ("pytorch", "cuda:0", 1),
    ]


def test_numpy_alone_is_enough(asked: list[tuple[Any, ...]]) -> None:
    """Where no framework is installed; a GPU cannot be asked then, nor a machine that is mute."""
    search_peaks(["numpy"], {"cores": 1, "gpu": ["A GPU"], "caches": None}, lambda _: None)
    assert asked == [("numpy", "cpu", 1)]


def test_the_best_of_each_kind_is_kept() -> None:
    """A second round can only raise a peak; the same failure is told once."""
    search = PeakSearch()
    for rate in (1e9, 3e9, 2e9):
        search.take({"event": "bandwidth", "found": {**asdict(FOUND), "rate": rate}})
    for _ in range(2):
        search.take({"event": "rateless", "way": "torch.mm", "reason": "no such dtype"})
    found = search.peaks("key")
    assert [item.rate for item in found.bandwidths] == [3e9]
    assert search.failures == ["torch.mm: no such dtype"]
    assert found.machine_key == "key"


def test_a_child_that_cannot_start_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one whose framework has no such device."""

    class Broken:
        def __init__(self, **_: Any) -> None:
            pass

        def ensure(self) -> None:
            raise UsageError("no CUDA device found")

        def close(self) -> None:
            pass

    monkeypatch.setattr(peaks, "Worker", Broken)
    search = search_peaks(["pytorch"], {"cores": 1, "gpu": ["A GPU"]}, lambda _: None)
    assert search.failures[-1] == "pytorch on cuda:0, 1 threads: no CUDA device found"


def test_a_slow_machine_has_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one is not begun when the time is over; a fast machine has them all."""

    class Endless:
        def __init__(self, **_: Any) -> None:
            self.rounds = 0

        def ensure(self) -> None:
            pass

        def close(self) -> None:
            rounds.append(self.rounds)

        def run(self, _: Survey) -> Any:
            for self.rounds in range(1, 4):
                yield {"event": "bandwidth", "found": asdict(FOUND)}
                yield {"event": "round"}

    rounds: list[int] = []
    monkeypatch.setattr(peaks, "Worker", Endless)
    for seconds in (0.1, 60.0):
        times = iter([0.0, seconds, 2 * seconds, 3 * seconds])
        peaks.ask(PeakSearch(), "numpy", Survey(sizes=(KIB,)), lambda times=times: next(times))
    assert rounds == [3, 1]


def test_a_real_child_answers_with_rates() -> None:
    """Real: NumPy moves and multiplies, and no rate is beyond what any machine could do."""
    worker = Worker(
        framework="numpy", device="cpu", threads=1, limits=Limits(), module="opperf.doctor.child"
    )
    search = PeakSearch()
    try:
        worker.ensure()
        for message in worker.run(Survey(sizes=(64 * KIB,), orders=(64,))):
            search.take(message)
    finally:
        worker.close()
    assert search.failures == []
    assert [item.way for item in search.bandwidths.values()] == ["numpy.copyto"]
    assert {item.dtype for item in search.products.values()} == {"float64", "float32"}
    rates = [item.rate for item in (*search.bandwidths.values(), *search.products.values())]
    assert all(1e6 < rate < 1e13 for rate in rates)


@pytest.fixture
def loaded(request: pytest.FixtureRequest) -> Framework:
    """Return a framework, loaded, or skip where it is not installed."""
    framework = find_framework(request.param)
    if not framework.is_installed():
        pytest.skip(f"{framework.name} is not installed")
    framework.load(1)
    return framework


FROM_ONES = {
    "copy": [1, 1],
    "add": [1, 1, 2],
    "read": [1, 1],
    "in_place": [1],
    "product": [1, 1, 4],
}
"""What the tensors of each kind of way hold after it, four by four of ones before."""


@pytest.mark.parametrize("loaded", [*PRODUCTS], indirect=True)
def test_every_way_does_what_it_counts(loaded: Framework) -> None:
    """It writes where it says, and leaves ones as ones, so that it may run for ever."""
    product, dtypes = PRODUCTS[loaded.name]
    ways = [(way, "float32") for way in MOVES.get(loaded.name, ())]
    for way, dtype in [*ways, *((product, dtype) for dtype in dtypes)]:
        step: Any = bind(way, loaded, (4,) if way.kind == "read" else (4, 4), dtype, "cpu")
        tensors = [one for one in (*step.args, *step.keywords.values()) if hasattr(one, "shape")]
        assert len(tensors) == way.held
        if way.kind == "copy":
            nothing = np.zeros_like(loaded.array(tensors[0]))
            loaded.assign(tensors[0], loaded.tensor(nothing, dtype, "cpu", differentiable=False))
        for _ in range(2):
            step()
            loaded.device("cpu").synchronize()
            held = [set(loaded.array(tensor).flat) for tensor in tensors]
            assert held == [{value} for value in FROM_ONES[way.kind]], (way.name, dtype)


def test_numpy_copies_all_of_it() -> None:
    """Half of the working set is read, and half of it written."""
    numpy = find_framework("numpy")
    step: Any = bind(MOVES["numpy"][0], numpy, (8,), "float32", "cpu")
    target, source = step.args
    target[:] = 0
    step()
    assert np.array_equal(target, source)
    assert target.nbytes + source.nbytes == 2 * 8 * 4


def test_a_way_that_fails_is_a_line_and_no_end() -> None:
    """The other ways are still tried."""
    numpy = find_framework("numpy")
    said: list[tuple[str, dict[str, Any]]] = []
    message = {"device": "nowhere", "threads": 1, "sizes": [KIB], "orders": [4]}
    survey(message, numpy, lambda event, **values: said.append((event, values)))  # type: ignore[arg-type]
    assert {event for event, _ in said} == {"rateless", "round", "done"}
    assert "unknown device 'nowhere'" in said[0][1]["reason"]


def test_products_stop_growing_where_they_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of 256 that takes 20 ms would take 160 ms at 512: the first one is it."""
    monkeypatch.setattr("opperf.doctor.child.fastest", lambda *_: 0.02)
    way = Way("product", "numpy.matmul", 3, 3)
    rate = multiply(way, find_framework("numpy"), "float32", "cpu", (256, 512))
    assert rate == pytest.approx(2 * 256**3 / 0.02)


def test_each_rate_is_a_finding_for_programs() -> None:
    """In bytes and FLOP a second."""
    product = Product(device="cpu", threads=2, dtype="float32", way="torch.mm", rate=1e11)
    search = PeakSearch({(): FOUND}, {(): product})
    findings = peak_findings(search.peaks("key"))
    assert [(f.check, f.value, f.unit) for f in findings] == [
        ("bandwidth", 2e9, "B/s"),
        ("product", 1e11, "FLOP/s"),
    ]
    assert findings[0].subject == "numpy.copyto 1024 B cpu threads=1"
