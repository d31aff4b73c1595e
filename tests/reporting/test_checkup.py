"""What the doctor found, as a terminal shows it."""

from __future__ import annotations

from opperf.core.finding import Finding
from opperf.core.roofline.peaks import Bandwidth, Peaks, Product
from opperf.core.statistics.repeatability import Repeatability
from opperf.reporting.checkup import checkup

FINE = Finding(check="clock", figure="1 ns")
BAD = Finding(check="neighbors", level="warning", figure="busy", advice="End them. " * 12)
NOISE = Repeatability(
    subject="Add 16",
    framework="numpy",
    seconds=1.234e-6,
    inside=0.004,
    between=0.012,
    apart=0.02,
    sessions=5,
)


def moved(nbytes: int, kind: str, rate: float, threads: int = 1) -> Bandwidth:
    """Return a bandwidth."""
    return Bandwidth(
        device="cpu", threads=threads, nbytes=nbytes, kind=kind, way=f"a.{kind}", rate=rate
    )


def peaks(*moves: Bandwidth) -> Peaks:
    """Return peaks with these bandwidths and one product."""
    product = Product(device="cpu", threads=1, dtype="float32", way="a.mm", rate=1e11)
    return Peaks(machine_key="k", measured_at="", bandwidths=moves, products=(product,))


def test_advice_is_folded_below_its_figure() -> None:
    """Within the width, and below each other."""
    lines = checkup([FINE, BAD], [], None, 60).splitlines()
    assert lines[0] == "ok       clock      1 ns"
    assert lines[1] == "warning  neighbors  busy"
    assert len(lines) > 4
    assert all(line.startswith(" " * 20 + "End") or line.strip() for line in lines[2:])
    assert max(map(len, lines)) <= 60


def test_a_narrow_terminal_still_gets_words() -> None:
    """Below what they are about; no line is wider than it is."""
    lines = checkup([BAD], [], None, 10).splitlines()
    assert lines[:3] == ["warning", "neighbors", "  busy"]
    assert max(map(len, lines)) <= 10


def test_noise_has_no_digits_that_it_leaves_no_room_for() -> None:
    """At 1.2 % two digits of a time are known."""
    lines = checkup([FINE], [NOISE], None, 80).splitlines()
    assert "Add 16       numpy            1.2    0.4%     1.2%   2.0%  2.5%  1.5%  1.0%" in lines
    assert "in turns, and one after the other; 5 pairs of processes" in " ".join(lines)


def test_bandwidths_are_shown_by_working_set_and_threads() -> None:
    """Copied, the best of all ways, and in place apart; a dash for what was not measured."""
    found = peaks(
        moved(2**20, "copy", 4e10),
        moved(2**20, "read", 5e10),
        moved(2**20, "in_place", 9e10),
        moved(2**21, "copy", 3e10),
        moved(2**20, "copy", 8e10, threads=2),
    )
    text = checkup([FINE], [], found, 80)
    assert "working set  copy 1t  best 1t  in place 1t  copy 2t  best 2t\n" in text
    assert "    1.05 MB     40.0     50.0         90.0     80.0     80.0\n" in text
    assert "    2.10 MB     30.0     30.0            -        -        -\n" in text
    assert "Measured by a.copy, a.read, a.in_place." in text.replace("\n", " ")
    assert "float32  100 GFLOP/s" in text


def test_a_part_without_figures_is_left_out() -> None:
    """Products alone, or neither."""
    assert "working set" not in checkup([FINE], [], peaks(), 80)
    assert checkup([FINE], [], None, 80) == "ok  clock  1 ns"


def test_only_ascii_where_nothing_else_can_be_shown() -> None:
    """A GPU's name may hold anything."""
    odd = Finding(check="GPU", figure="A\x1b[2J GPU\u2122")
    assert checkup([odd], [], None, 80, ascii_only=True) == "ok  GPU  A[2J GPU?"
