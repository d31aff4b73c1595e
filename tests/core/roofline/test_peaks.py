"""The peaks of a machine: which roof they put over an operator, and how they are kept."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.outcome import Outcome
from opperf.core.results.parts import RoofRecord
from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble, now
from opperf.core.roofline.peaks import Bandwidth, Peaks, Product, Roof, roof_of
from opperf.core.roofline.peaks_file import load_peaks, peaks_path, store_peaks
from opperf.core.statistics.summary import summarize
from opperf.core.timing.measure import Samples
from opperf.declaring.description import describe
from opperf.operators.arithmetic.arithmetic import Add, IAdd

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.core.results.result import Result

KIB, MIB = 2**10, 2**20
KEY = "0123456789abcdef"
HERE = {"device": "cpu", "threads": 1}
PLACE = {**HERE, "in_place": False}


def moved(nbytes: int, rate: float, kind: str = "copy", threads: int = 1) -> Bandwidth:
    """Return a bandwidth on the CPU."""
    return Bandwidth(
        device="cpu", threads=threads, nbytes=nbytes, kind=kind, way=f"a.{kind}", rate=rate
    )


def multiplied(dtype: str, rate: float, threads: int = 1) -> Product:
    """Return a product's rate on the CPU."""
    return Product(device="cpu", threads=threads, dtype=dtype, way="a.mm", rate=rate)


def made(*items: Bandwidth | Product) -> Peaks:
    """Return peaks that hold these."""
    return Peaks(
        machine_key=KEY,
        measured_at="2026-11-21T00:00:00.000+00:00",
        bandwidths=tuple(item for item in items if isinstance(item, Bandwidth)),
        products=tuple(item for item in items if isinstance(item, Product)),
    )


PEAKS = made(
    moved(16 * KIB, 30e9), moved(256 * KIB, 60e9), moved(MIB, 40e9), moved(64 * MIB, 10e9),
    moved(64 * MIB, 12e9, "read"), moved(64 * MIB, 20e9, "in_place"),
    multiplied("float32", 100e9), multiplied("float64", 50e9), multiplied("float16", 1e9),
)  # fmt: skip


def test_a_small_set_is_as_fast_as_any_larger_one() -> None:
    """What was measured slower there is the call's own cost, which is no bound of the memory."""
    assert PEAKS.bandwidth(16 * KIB, **HERE) == 60e9
    assert PEAKS.bandwidth(100, **HERE) == 60e9
    assert PEAKS.bandwidth(2**40, **HERE) == 12e9


def test_between_two_sizes_the_logarithm_counts() -> None:
    """Half of the way from 256 KiB to 1 MiB is 512 KiB."""
    assert PEAKS.bandwidth(512 * KIB, **HERE) == pytest.approx(50e9)
    assert PEAKS.bandwidth(MIB, **HERE) == 40e9


def test_the_fastest_way_counts_and_in_place_apart() -> None:
    """Changing in place reads and writes one place, which nothing that moves data can."""
    assert PEAKS.bandwidth(64 * MIB, **HERE) == 12e9
    assert PEAKS.bandwidth(64 * MIB, **HERE, in_place=True) == 20e9


def test_more_threads_reach_what_fewer_reach() -> None:
    """Above the most that were measured the most hold, between two measured numbers nothing."""
    peaks = made(moved(MIB, 40e9), moved(MIB, 30e9, threads=4), multiplied("float32", 1e9, 4))
    assert peaks.bandwidth(MIB, device="cpu", threads=4) == 40e9
    assert peaks.bandwidth(MIB, device="cpu", threads=8) == 40e9
    assert peaks.bandwidth(MIB, device="cpu", threads=2) is None
    assert peaks.flop_rate("float32", device="cpu", threads=1) is None
    assert peaks.bandwidth(MIB, device="cuda:0", threads=1) is None


def test_half_precision_may_be_computed_in_float32() -> None:
    """So it is bounded by the faster of the two; float64 is not, and whole numbers have no roof."""
    assert PEAKS.flop_rate("float16", **HERE) == 100e9
    assert PEAKS.flop_rate("bfloat16", **HERE) == 100e9
    assert PEAKS.flop_rate("float64", **HERE) == 50e9
    assert PEAKS.flop_rate("int32", **HERE) is None


def test_the_nearer_roof_bounds() -> None:
    """At 80 % of the arithmetic and 10 % of the memory it is the arithmetic, and the reverse."""
    rates = (80e9, 4e9)
    assert roof_of(PEAKS, rates, dtype="float32", nbytes=MIB, place=PLACE) == Roof(
        "flop", 100e9, 0.8
    )
    found = roof_of(PEAKS, (1e9, 36e9), dtype="float32", nbytes=MIB, place=PLACE)
    assert found == Roof("bytes", 40e9, 0.9)


def test_what_was_not_measured_is_no_roof() -> None:
    """Nor is there one without peaks, or for an operator without a rate."""
    assert roof_of(None, (1e9, 1e9), dtype="float32", nbytes=MIB, place=PLACE) is None
    assert roof_of(PEAKS, (None, None), dtype="float32", nbytes=MIB, place=PLACE) is None
    assert roof_of(PEAKS, (1e9, None), dtype="int8", nbytes=MIB, place=PLACE) is None


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that puts a record of Add together on the machine of `PEAKS`."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    store_peaks(PEAKS)
    samples = Samples(
        seconds=(1e-3,) * 6, iterations=1, first_call=1.0, loop_overhead=0.0,
        method="interval", stop_reason="runs", steady=True,
    )  # fmt: skip
    outcome = Outcome(status="ok", samples=samples, summary=summarize(samples.times()))

    def make(kind: Any = Add, key: str = KEY, **changes: Any) -> Result:
        settings = Settings(**{n: v for n, v in changes.items() if n in ("cache", "threads")})
        subject = describe(kind(size="typical"), find_framework("numpy"), "cpu", settings, "only")
        found = replace(outcome, method=changes.get("method"))
        return from_mapping(assemble(subject, "forward", found, {"machine_key": key}, now()))

    return make


def test_a_record_has_its_share_of_the_roof(record: Callable[..., Result]) -> None:
    """Add moves 12 MiB in 1 ms: the roof is that of 12 MiB, found by the machine's key."""
    found = record()
    bandwidth = PEAKS.bandwidth(12 * MIB, **HERE)
    assert bandwidth is not None
    assert found.roof == RoofRecord(bound="bytes", rate=bandwidth)
    assert found.peak_fraction == pytest.approx(12 * MIB / 1e-3 / bandwidth)


def test_a_record_of_another_machine_or_thread_count_has_none(
    record: Callable[..., Result],
) -> None:
    """Missing is None, never zero; more threads than were measured are all of them."""
    other = record(key="another")
    assert (other.roof, other.peak_fraction) == (None, None)
    assert record(threads=2).peak_fraction == record().peak_fraction


def test_cold_operands_come_from_memory(record: Callable[..., Result]) -> None:
    """However few they are, the largest working set bounds them; in place has its own roof."""
    cold = record(cache="cold")
    assert cold.roof == RoofRecord(bound="bytes", rate=12e9)
    in_place = record(IAdd, cache="cold", method="pristine_copies")
    assert in_place.roof == RoofRecord(bound="bytes", rate=20e9)


def test_peaks_are_kept_as_they_are(tmp_path: Path) -> None:
    """And nothing else lies beside the file."""
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    path = store_peaks(PEAKS, environ)
    assert path == tmp_path / "opperf" / "peaks" / f"{KEY}.json"
    assert load_peaks(KEY, environ) == PEAKS
    assert [*path.parent.iterdir()] == [path]


def test_new_peaks_replace_the_old_ones(tmp_path: Path) -> None:
    """Within a process as well, which has read the old ones."""
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    store_peaks(PEAKS, environ)
    assert load_peaks(KEY, environ) == PEAKS
    newer = replace(PEAKS, products=())
    store_peaks(newer, environ)
    assert load_peaks(KEY, environ) == newer


def test_the_folder_is_the_users_cache(tmp_path: Path) -> None:
    """A relative XDG_CACHE_HOME is none, as its specification says; without any there is none."""
    inside = "opperf/peaks/k.json"
    home = {"HOME": str(tmp_path)}
    assert peaks_path("k", home) == tmp_path / ".cache" / inside
    assert peaks_path("k", {**home, "XDG_CACHE_HOME": "here"}) == tmp_path / ".cache" / inside
    assert peaks_path("k", {"XDG_CACHE_HOME": "/c"}) == tmp_path.__class__("/c") / inside
    assert peaks_path("k", {}) is None
    assert load_peaks("k", {}) is None
    with pytest.raises(OSError, match="neither XDG_CACHE_HOME nor HOME"):
        store_peaks(PEAKS, {})


def test_a_folder_that_cannot_be_written_is_an_oserror(tmp_path: Path) -> None:
    """Here a file stands in its place."""
    tmp_path.joinpath("opperf").touch()
    with pytest.raises(OSError, match="opperf"):
        store_peaks(PEAKS, {"XDG_CACHE_HOME": str(tmp_path)})


def damaged(text: str) -> list[str]:
    """Return the text of a good file, damaged in every way that one can think of."""
    whole = json.loads(text)
    first = whole["bandwidths"][0]
    wrong: list[Any] = [
        {**whole, "schema": "opperf.peaks/9"},
        {**whole, "machine_key": "another"},
        {name: value for name, value in whole.items() if name != "products"},
        {**whole, "bandwidths": 3},
        {**whole, "bandwidths": [3]},
        *({**whole, "bandwidths": [{**first, "rate": rate}]} for rate in (0, -1, "fast", None)),
        {**whole, "bandwidths": [{**first, "threads": True}]},
        {**whole, "bandwidths": [{**first, "device": 0}]},
        {**whole, "products": [{"dtype": "float32"}]},
        [],
    ]
    return [text[: len(text) // 2], "", "\x00", *map(json.dumps, wrong), text.replace("30", "NaN")]


def test_a_damaged_file_is_none(tmp_path: Path) -> None:
    """A cache that cannot be read is as good as none, whatever is wrong with it."""
    path = store_peaks(PEAKS, {"XDG_CACHE_HOME": str(tmp_path)})
    texts = damaged(path.read_text())
    for number, text in enumerate(texts):
        folder = tmp_path / str(number)
        copy = folder / "opperf" / "peaks" / path.name
        copy.parent.mkdir(parents=True)
        copy.write_text(text)
        assert load_peaks(KEY, {"XDG_CACHE_HOME": str(folder)}) is None, text
    assert len(texts) > 10
