"""Numbers in lines, and the bounds of what searching for them may take."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from opperf.core.environment.files import ROOT
from opperf.core.errors import UsageError
from opperf.watching.cgroup import MemoryGroup
from opperf.watching.literal import required_literal
from opperf.watching.log import LONGEST_LINE, LineSplitter, RotatedLog
from opperf.watching.matching import MOST_VALUES, NumberPattern, take_lines
from opperf.watching.sampling import INTERVAL, LOOK, MAP, pause_after
from opperf.watching.stat import read_stat

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("pattern", "line", "values"),
    [
        (r"Speed: (\d+\.\d+|\d+) samples/sec", "x Speed: 829.012392 samples/sec y", [829.012392]),
        (r"loss=(\d+\.\d+|\d+)", "loss=1e-05 loss=-3.5 loss=7 loss=.5", [1e-05, -3.5, 7.0, 0.5]),
        (r"loss=(\S+)", "loss=1e-05 loss=-3.5", [1e-05, -3.5]),
        (r"loss=(\d+\.\d+)", "loss=1.5e-05,", [1.5e-05]),
        (r"loss=(\d+)", "loss=3.5", [3.0]),
        (r"(a|b)=(?P<value>\d+)", "a=1 b=2", [1.0, 2.0]),
        (r"^\[(\d+)ep$", "[12ep", [12.0]),
        (r"x(\d+)?", "x x5", [5.0]),
    ],
)
def test_numbers(pattern: str, line: str, values: list[float]) -> None:
    """Signs, exponents and points; the document's expression takes all of them."""
    number = NumberPattern(pattern)
    number.check()
    number.take(line)
    assert (list(number.values), number.fault) == (values, None)


def test_an_exponential_pattern_is_given_up() -> None:
    """After its time on one line, and for good: a longer line would take longer than all time."""
    number = NumberPattern(r"((?:a|aa)+)c", patience=0.05)
    number.check()
    number.take("a" * 10_000 + "!")
    assert "took more than 0.05 s on a line of 10001 characters" in str(number.fault)
    number.take("aac")
    assert not number.values


@pytest.mark.parametrize(
    ("line", "fault"),
    [("v=nan", "found nan"), ("v=inf", "found inf"), ("v=abc", "found 'abc', no number")],
)
def test_what_is_no_number_is_said(line: str, fault: str) -> None:
    """No value is made up for it."""
    number = NumberPattern(r"v=(\w+)")
    number.take(line)
    assert fault in str(number.fault)
    assert not number.values


def test_values_are_bounded() -> None:
    """A flood of numbers fills no memory."""
    number = NumberPattern(r"(\d)")
    for _ in range(MOST_VALUES // 10_000):
        number.take("1" * 10_000)
    assert (len(number.values), number.fault) == (MOST_VALUES, None)
    number.take("1")
    assert "more than 1000000 numbers" in str(number.fault)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("Speed", "has 0 groups"),
        ("(a)(b)", "has 2 groups"),
        ("(a", "missing \\)"),
        ("(a\\n)", "leave .n out"),
        ("(" * 3000, "longer than 2000"),
        ("(((a{1000}){1000}){1000})", "repeats more than 1000"),
        ("(?<=a+(b", "pattern"),
    ],
)
def test_wrong_patterns_are_refused_in_one_line(pattern: str, message: str) -> None:
    """Before anything is started."""
    with pytest.raises(UsageError, match=message) as caught:
        NumberPattern(pattern).check()
    assert "\n" not in str(caught.value)


def test_lines_come_whole_whatever_the_pieces() -> None:
    """Newlines, carriage returns, both; one that never ends is handed on once, cut."""
    splitter = LineSplitter()
    pieces = [b"a", b"b\nc\r", b"\nd\re", b"", b"f"]
    found = b"".join(splitter.feed(piece) for piece in pieces) + splitter.end()
    assert [line for line in found.split(b"\n") if line] == [b"ab", b"c", b"d", b"ef"]
    assert found.endswith(b"\n")
    assert splitter.end() == b""
    endless = LineSplitter()
    found = b"".join(endless.feed(b"x" * 1000) for _ in range(100)) + endless.feed(b"y\nz\n")
    assert [len(line) for line in found.split(b"\n")] == [LONGEST_LINE, 1, 0]


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        (r"Speed: (\d+\.\d+|\d+) samples/sec", b" samples/sec"),
        (r"^\[(\d+)e$", b"["),
        (r"time cost: (\d+)?", b"time cost: "),
        (r"lo+ss?=(\d)", b"lo"),
        (r"ab{2}c*dé(\d)", b"a"),
        (r"a\.b\.(?:x|yz)\d(\d)", b"a.b."),
        (r"(?P<value>[^)(\]]+) it/s", b" it/s"),
        (r"[]a-z]=(\d)", b"="),
        (r"a|b=(\d)", None),
        (r"(?i)LOSS=(\d)", None),
        (r"[[:alpha:]]=(\d)", None),
        (r"(?:loss){e<=1}=(\d)", b"="),
        (r"(?:x[[:digit:]])(\d) y", None),
        (r"\x41bc(\d)", None),
        (r"(\d)", None),
        (r"(?|a(\d)|b(\d))cd", None),
        ("ab{(\\d)", None),
    ],
)
def test_what_stands_in_each_line_that_matches(pattern: str, literal: bytes | None) -> None:
    """Text outside of groups and sets that nothing makes optional; None where in doubt."""
    assert required_literal(pattern) == literal


def test_no_number_is_missed_for_a_literal() -> None:
    """Expressions put together by chance find the same whether or not lines are chosen first."""
    chance = random.Random(1)  # noqa: S311 - no secret
    parts = [
        "a", "b", "ab", " ", "=", r"\.", r"\s", r"\w", "a?", "b*", "a+", "a+?", "ab{0}", "b{1,2}",
        ".", "(?:a|b)", "(?:ab)?", "[ab]", "[^a]", "(?=a)", "(?!b)", "^", "$", r"\b",
    ]  # fmt: skip
    for _ in range(1000):
        chosen = chance.choices(parts, k=chance.randint(1, 5))
        chosen.insert(chance.randint(0, len(chosen)), r"(\d)")
        text = "".join(chosen)
        block = "".join(chance.choices("ab .=1\n", k=300)).encode() + b"\n"
        fast, slow = NumberPattern(text), NumberPattern(text)
        slow.literal = None
        take_lines([fast, slow], block)
        assert (fast.values, fast.fault) == (slow.values, slow.fault), text


def test_a_log_is_rotated(tmp_path: Path) -> None:
    """Its end is kept, whatever the pieces, in two files that the limit bounds."""
    log = RotatedLog(tmp_path / "log", limit=100)
    text = b"".join(b"%09d\n" % number for number in range(100))
    for start in range(0, len(text), 7):
        log.write(text[start : start + 7])
    log.close()
    data = (tmp_path / "log.1").read_bytes() + (tmp_path / "log").read_bytes()
    assert text.endswith(data)
    assert 50 <= len(data) <= 100
    assert log.dropped == len(text) - len(data)
    log.remove()
    assert not [*tmp_path.iterdir()]


def test_a_control_group_is_taken_where_memory_is_handed_down(tmp_path: Path) -> None:
    """Here by files laid out as the kernel's; none is made where that is not so."""
    (tmp_path / "proc/self").mkdir(parents=True)
    own = tmp_path / "sys/fs/cgroup/user/me"
    own.mkdir(parents=True)
    assert MemoryGroup.create("one", tmp_path).folder is None
    (tmp_path / "sys/fs/cgroup/cgroup.controllers").write_text("cpu memory\n")
    (tmp_path / "proc/self/cgroup").write_text("3:cpu:/\n0::/user/me\n")
    (own / "cgroup.subtree_control").write_text("cpu\n")
    assert MemoryGroup.create("one", tmp_path).folder is None
    assert not (own / "one").exists()
    (own / "cgroup.subtree_control").write_text("cpu memory\n")
    assert MemoryGroup.create("one", tmp_path).folder is None  # no memory.peak: an older kernel
    assert not (own / "one").exists()
    peak = MemoryGroup(own)
    (own / "memory.peak").write_text("12345\n")
    assert peak.peak() == 12345
    assert MemoryGroup(None).peak() is None
    assert MemoryGroup.create("one", ROOT / "nowhere").folder is None


def test_a_process_may_have_any_name() -> None:
    """What the kernel says of it is read behind the last bracket."""
    code = "open('/proc/self/comm', 'w').write('a) S 1 (b'); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found, same = read_stat(process.pid), psutil.Process(process.pid)
        memory = same.memory_info()
        assert (found.vms, found.threads) == (memory.vms, same.num_threads())
        assert found.rss == pytest.approx(memory.rss, rel=0.2)
        assert found.cpu_seconds == pytest.approx(sum(same.cpu_times()[:4]), abs=0.1)
    with pytest.raises(OSError, match="No such"):
        read_stat(process.pid)


def test_looks_cost_a_share_of_a_core() -> None:
    """The dearer one is, the later comes the next; what is cheap comes ten times a second."""
    assert pause_after(1e-5, INTERVAL) + 1e-5 == INTERVAL
    for cost in (0.001, 0.02, 3.0):
        assert cost / (pause_after(cost, INTERVAL) + cost) <= 1 / LOOK
    assert 1 / LOOK + 1 / MAP < 0.01
