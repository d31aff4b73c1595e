"""What a notebook shows of results, stores, histories and timers, and what a program gets."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs

import opperf
from opperf.core.errors import NotInstalledError, UsageError
from opperf.core.results.collection import Results
from opperf.storing import Journal, RunDirectory
from opperf.storing.database.connection import create_store
from opperf.storing.database.importing import Importer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.core.results.result import Result

    MakeResult = Callable[..., Result]

HOSTILE = "<script>alert(1)</script> $x_1$"
PNG = b"\x89PNG"


def timed(make: MakeResult, median: float = 1e-3, **changes: Any) -> Result:
    """Return a result with a median and an interval of a tenth of a percent."""
    summary = {
        "n": 9, "median": median, "interval": [median * 0.999, median * 1.001],
        "precision": 0.001, "warnings": [],
    }  # fmt: skip
    return make(summary=summary, **changes)


def test_a_result_has_typed_attributes_and_its_metrics_by_name(make_result: MakeResult) -> None:
    """Those of the record's fields and those of probes; without a time there is none."""
    probe = {"name": "energy", "unit": "J", "value": 0.5, "better": "less", "per": "call"}
    result = timed(make_result, memory={"outputs": 100, "workspace": 24})
    mapping = json.loads(result.to_json()) | {"metrics": [probe]}
    result = opperf.core.results.reading.from_mapping(mapping)
    assert (result.median, result.interval) == (1e-3, (0.000999, 0.001001))
    assert result.metrics["workspace"].value == 24
    assert result.metrics["peak_memory"].value == 124
    assert result.metrics["time"].interval == result.interval
    assert result.metrics["energy"].unit == "J"
    assert [metric.name for metric in result.metrics] == ["energy"]
    assert result.metrics[0] is result.metrics["energy"]
    assert ("workspace" in result.metrics, "wrkspace" in result.metrics) == (True, False)
    with pytest.raises(KeyError, match="unknown metric 'wrkspace'; did you mean 'workspace'"):
        result.metrics["wrkspace"]
    wrong = structs.replace(result, status="wrong_result")
    assert (wrong.median, wrong.interval, "time" in wrong.metrics) == (None, None, False)


def test_a_result_is_the_same_record_as_before(make_result: MakeResult) -> None:
    """Copies, pickles and changes of it too; nothing of the names is written."""
    result = timed(make_result)
    for twin in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):  # noqa: S301 - our own
        assert twin == result
    assert structs.replace(result, metrics=()).metrics == ()
    assert json.loads(result.to_json())["metrics"] == []
    assert pickle.loads(pickle.dumps(result.metrics)) == ()  # noqa: S301 - our own


def test_a_result_and_a_list_of_them_are_tables(make_result: MakeResult) -> None:
    """One line each at a prompt, a row each in a notebook, all texts escaped."""
    good = timed(make_result)
    bad = make_result(status="failed", reason=HOSTILE, summary=None)
    assert repr(good) == "Add forward on numpy, cpu, lhs=(2,3) float32: 1.000 ms +-0.1%"
    assert "<td>1.000 ms</td><td>±0.1%</td><td>ok</td>" in good._repr_html_()
    shown = Results([good, bad])._repr_html_()
    assert shown.count("<tr>") == 3
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown


def test_a_decorated_function_is_as_it_was_and_can_be_timed() -> None:
    """With the settings of the decorator, under its name."""

    @opperf.measure(name="square", budget=0.02, warmup=1)
    def square(number: int) -> int:
        return number * number

    assert square(3) == 9
    assert type(square).__name__ == "function"
    result = square.measure(3)
    assert (result.operator.name, result.status in {"ok", "noisy"}) == ("square", True)
    assert result.median is not None
    with pytest.raises(UsageError, match="budget"):
        opperf.measure(budget=-1)
    with pytest.raises(TypeError):
        opperf.measure(budgt=1)


def test_a_timer_times_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it says once; from six passes on there is an interval; a block that raises is none."""
    clock = iter(range(0, 10**12, 10**6))
    monkeypatch.setattr("opperf.api.timer.perf_counter_ns", lambda: next(clock))
    timer = opperf.timer("load <b>")
    assert repr(timer) == "load <b>: not timed yet"
    assert (timer.median, timer.interval, timer.summary) == (None, None, None)
    with timer as same:
        pass
    assert same is timer
    assert repr(timer) == "load <b>: 1.00 ms, once"
    assert timer._repr_html_() == "<pre>load &lt;b&gt;: 1.00 ms, once</pre>"
    with pytest.raises(RuntimeError, match="of the block"), timer:
        raise RuntimeError("of the block")
    for _ in range(9):
        with timer, timer:  # a recursive function may be timed
            pass
    assert len(timer.seconds) == 19
    assert timer.interval is not None
    assert sorted({round(seconds, 6) for seconds in timer.seconds}) == [0.001, 0.003]
    assert [*timer.to_frame()["seconds"]] == timer.seconds
    assert repr(timer).endswith("median of 19")


def test_a_timer_waits_for_what_the_block_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that works on after a call returns has not done it by then."""
    waits: list[str] = []

    class Framework:
        module = "math"

        def device(self, name: str) -> Any:
            return type("D", (), {"synchronize": staticmethod(lambda: waits.append(name))})()

    monkeypatch.setattr("opperf.api.timer.find_framework", lambda _: Framework())
    monkeypatch.setattr("opperf.api.timer.MEASURED", ("one",))
    with opperf.timer():
        assert waits == ["cpu"]
    assert waits == ["cpu", "cpu"]


@pytest.fixture
def stored(tmp_path: Path, make_result: MakeResult) -> str:
    """Return a store of 24 nights, of which the last twelve are half as slow again."""
    address = str(tmp_path / "results.db")
    database = create_store(address)
    facts = {"machine_key": "m" * 16, "cpu": "A CPU", "architecture": "x86_64"}
    results = []
    for night in range(24):
        median = (1e-3 if night < 12 else 1.5e-3) * (1 + 0.001 * (night % 3))
        results.append(
            timed(
                make_result, median, run_id=f"night-{night:02}", environment=facts,
                started_at=f"2026-11-{night + 1:02}T03:00:00.000+00:00",
                memory={"outputs": 24, "workspace": 8},
            )
        )  # fmt: skip
    path = tmp_path / "nights.jsonl"
    path.write_text("".join(f"{result.to_json()}\n" for result in results))
    with database.writing() as connection:
        Importer(connection).add_file(path)
    return address


def test_a_store_tells_its_runs(stored: str) -> None:
    """In a line, as a table, as a frame, and each as a run."""
    store = opperf.store(stored)
    assert repr(store) == f"store {stored}: 24 runs, 24 results"
    assert store.runs()[0] == "night-00"
    assert "<td>night-23</td>" in store._repr_html_().replace(' style="text-align: left;"', "")
    assert repr(store.load("night-03")) == "run night-03: 1 ok"
    frame = store.to_frame()
    assert [*frame["run"]] == [f"night-{n:02}" for n in range(24)]
    assert frame["seconds"].max() == pytest.approx(1.503e-3)
    with pytest.raises(UsageError, match="unknown run 'day' in the store"):
        store.load("day")


def test_a_history_is_a_line_a_table_a_frame_and_a_plot(stored: str, tmp_path: Path) -> None:
    """Its change is in all of them."""
    found = opperf.history("Add", store=stored)
    assert repr(found) == "Add: 1 series, 24 sessions, 1 changes"
    assert repr(found[0]) == "Add forward on numpy, cpu: 24 sessions, 1 changes"
    assert "2026-11-13: x1.5" in found._repr_html_()
    frame = found.to_frame()
    assert len(frame) == 24
    assert [*frame["ratio"].dropna()] == [pytest.approx(1.5, rel=0.01)]
    plot = found.plot()
    assert [text.get_text() for text in plot.axes[0].texts] == ["x1.5"]
    assert plot._repr_png_().startswith(PNG)
    assert plot.save(tmp_path / "history.svg").read_text().startswith("<?xml")
    assert "Add" in repr(plot)


def test_a_history_is_of_what_is_asked_for(stored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Since when, of which metric and which series; what is wrong is one line."""
    assert len(opperf.history("Add", store=stored, since="2026-11-20")[0].points) == 5
    memory = opperf.history("Add", store=stored, metric="peak_memory")
    assert {point.value for point in memory[0].points} == {32}
    assert opperf.history("Add", store=stored, k="framework=mxnet") == []
    monkeypatch.setenv("OPPERF_STORE", stored)
    assert len(opperf.history("Add")) == 1
    for wrong in ({"operator": "Ad"}, {"metric": "tme"}, {"since": "soon"}, {"store": "none.db"}):
        with pytest.raises(UsageError) as info:
            opperf.history(**{"operator": "Add", **wrong})
        assert "\n" not in str(info.value)
    monkeypatch.delenv("OPPERF_STORE")
    with pytest.raises(UsageError, match="no store is named"):
        opperf.store()
    assert opperf.history("Add", store=stored, k="framework=mxnet")._repr_html_()
    with pytest.raises(UsageError, match="there is no series with a value to draw"):
        opperf.history("Add", store=stored, k="framework=mxnet").plot()


@pytest.fixture
def write_run(tmp_path: Path) -> Callable[..., opperf.api.run.LoadedRun]:
    """Return what writes a run of results and loads it."""

    def write(*results: Result) -> Any:
        directory = RunDirectory.create(tmp_path / "runs", {})
        with Journal(directory.results_path) as journal:
            journal.append(results)
        return opperf.load(str(directory.path))

    return write


def sizes(make: MakeResult, framework: str) -> list[Result]:
    """Return a sweep: a microsecond, and a nanosecond for each 12 bytes."""
    operator = {**make().operator.to_mapping(), "framework": framework}
    inputs = [
        [{"name": "lhs", "shape": [n, 2], "dtype": "float32", "nbytes": 8 * n}]
        for n in (10**k for k in range(2, 8))
    ]
    return [
        timed(
            make, 1e-6 + 1e-9 * given[0]["nbytes"] * 1.5 / 12, operator=operator, inputs=given,
            byte_count=given[0]["nbytes"] * 3 // 2, flop_count=given[0]["nbytes"] // 8,
            flop_rate=1e9, roof={"bound": "bytes", "rate": 2e10}, series_key=f"{at:016x}",
        )
        for at, given in enumerate(inputs)
    ]  # fmt: skip


def test_a_run_is_plotted_side_by_side(make_result: MakeResult, write_run: Any) -> None:
    """A row an operator, a mark a framework; what is not reliable is hollow."""
    operator = make_result().operator.to_mapping()
    run = write_run(
        timed(make_result),
        timed(make_result, 2e-3, operator={**operator, "framework": "mxnet"}, status="noisy"),
        timed(make_result, 1e-6, operator={**operator, "name": HOSTILE}),
        make_result(status="failed", summary=None, reason="no memory"),
    )
    plot = run.plot()
    (axes,) = plot.axes
    assert len(axes.get_yticks()) == 2
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == ["numpy", "mxnet: noisy, or without an interval"]
    assert axes.get_xscale() == "log"
    assert plot._repr_png_().startswith(PNG)
    with pytest.raises(UsageError, match="unknown kind of plot 'size'; did you mean 'sizes'"):
        run.plot("size")
    with pytest.raises(UsageError, match="there is no operator in several sizes to draw"):
        run.plot("sizes")
    with pytest.raises(UsageError, match="unknown kind of file"):
        plot.save("a.pong")
    with pytest.raises(UsageError, match="cannot write"):
        plot.save("/nowhere/a.png")


def test_too_much_for_a_plot_is_said(make_result: MakeResult, write_run: Any) -> None:
    """Nobody can read a thousand rows."""
    operator = make_result().operator.to_mapping()
    run = write_run(
        *(timed(make_result, operator={**operator, "name": f"F{n}"}) for n in range(61))
    )
    with pytest.raises(UsageError, match="61 timed operators are too many for a plot"):
        run.plot()


def test_a_sweep_is_plotted_by_size_with_its_line(make_result: MakeResult, write_run: Any) -> None:
    """The line is the one that `opperf show` tells."""
    run = write_run(*sizes(make_result, "numpy"), *sizes(make_result, "mxnet"))
    plot = run.plot()
    (axes,) = plot.axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == [f"{name}: 1.00 us + n / (12.0 GB/s)" for name in ("numpy", "mxnet")]
    assert len(axes.lines) >= 4
    roofline = run.plot("roofline")
    assert "roof: 20.0 GB/s" in [t.get_text() for t in roofline.axes[0].get_legend().get_texts()]
    assert roofline._repr_png_().startswith(PNG)


def test_a_comparison_is_plotted_as_ratios(make_result: MakeResult, write_run: Any) -> None:
    """Beside each its verdict."""
    found = opperf.compare(write_run(timed(make_result)), write_run(timed(make_result, 3e-3)))
    plot = found.plot()
    assert [text.get_text() for text in plot.axes[0].texts] == ["slower"]
    labels = [label.get_text() for label in plot.axes[0].get_yticklabels()]
    assert labels == ["Add forward (2,3), numpy"]
    assert plot._repr_png_().startswith(PNG)


def test_a_missing_extra_names_itself(
    make_result: MakeResult, write_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line, with the remedy."""
    run = write_run(timed(make_result))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(NotInstalledError, match=r"pip install 'opperf\[plot\]'"):
        run.plot()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(NotInstalledError, match="to_frame needs pandas"):
        run.to_frame()
