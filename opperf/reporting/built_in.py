"""Every form of output that opperf has itself; its module is imported once it writes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.form import Form
from opperf.reporting.subjects import Listing, Past, Run

if TYPE_CHECKING:
    from collections.abc import Callable


def function(place: str) -> Callable[..., Any]:
    """Return the function at "module:name" of this package, imported when it is called."""

    def call(*arguments: Any) -> Any:
        module, _, name = place.partition(":")
        return getattr(import_module(f"opperf.reporting.{module}"), name)(*arguments)

    return call


FORMS = (
    Form(
        name="html",
        subjects=(Run, ComparisonReport, Past),
        suffix=".html",
        help="one page that needs nothing else",
        write=function("page.writing:write_page"),
    ),
    Form(
        name="table",
        subjects=(Listing,),
        suffix="",
        help="columns for a terminal",
        write=function("files:print_table"),
    ),
    Form(
        name="json",
        subjects=(Listing,),
        suffix=".json",
        help="an array of flat objects",
        write=function("files:print_json"),
    ),
    Form(
        name="json",
        subjects=(Run,),
        suffix=".json",
        help="an array of records",
        write=function("files:write_json"),
    ),
    Form(
        name="jsonl",
        subjects=(Run,),
        suffix=".jsonl",
        help="a line a record",
        write=function("files:write_jsonl"),
    ),
    Form(
        name="md",
        subjects=(Listing,),
        suffix=".md",
        help="a Markdown table",
        write=function("files:print_markdown"),
    ),
    Form(
        name="md",
        subjects=(Run,),
        suffix=".md",
        help="a Markdown table",
        write=function("files:write_markdown"),
    ),
    Form(
        name="md",
        subjects=(ComparisonReport,),
        suffix=".md",
        help="a Markdown table",
        write=function("summary:write_comparison_markdown"),
    ),
    Form(
        name="csv",
        subjects=(Listing,),
        suffix=".csv",
        help="comma-separated rows",
        write=function("files:print_csv"),
    ),
    Form(
        name="csv",
        subjects=(Run,),
        suffix=".csv",
        help="a row a result",
        write=function("files:write_csv"),
    ),
    Form(
        name="csv",
        subjects=(ComparisonReport,),
        suffix=".csv",
        help="a row a verdict",
        write=function("page.comparison:write_comparison_csv"),
    ),
    Form(
        name="parquet",
        subjects=(Run,),
        suffix=".parquet",
        help="a row a result, for pandas, DuckDB or Spark",
        write=function("foreign.parquet:write_parquet"),
        binary=True,
        require=function("foreign.parquet:require"),
    ),
    Form(
        name="junit",
        subjects=(Run,),
        suffix=".xml",
        help="JUnit XML, a test case a row",
        write=function("foreign.junit:write_run_junit"),
    ),
    Form(
        name="junit",
        subjects=(ComparisonReport,),
        suffix=".xml",
        help="JUnit XML, a test case a row",
        write=function("foreign.junit:write_comparison_junit"),
    ),
    Form(
        name="chrome-trace",
        subjects=(Run,),
        suffix=".json",
        help="when what was measured, for chrome://tracing or ui.perfetto.dev",
        write=function("foreign.chrome_trace:write_chrome_trace"),
    ),
    Form(
        name="pytest-benchmark",
        subjects=(Run,),
        suffix=".json",
        help="as pytest-benchmark saves it, for its compare",
        write=function("foreign.pytest_benchmark:write_pytest_benchmark"),
        only_times=True,
    ),
    Form(
        name="google-benchmark",
        subjects=(Run,),
        suffix=".json",
        help="as Google Benchmark writes it, for its tools/compare.py",
        write=function("foreign.google_benchmark:write_google_benchmark"),
        only_times=True,
    ),
    Form(
        name="pytorch-benchmark",
        subjects=(Run,),
        suffix=".json",
        help="records of the PyTorch OSS benchmark database, schema v3",
        write=function("foreign.pytorch_benchmark:write_pytorch_benchmark"),
        only_times=True,
    ),
    Form(
        name="bencher",
        subjects=(Run,),
        suffix=".json",
        help="Bencher Metric Format, for bencher run --adapter json",
        write=function("foreign.bencher:write_bencher"),
        only_times=True,
    ),
    Form(
        name="github-action-benchmark",
        subjects=(Run,),
        suffix=".json",
        help="for github-action-benchmark, tool: customSmallerIsBetter",
        write=function("foreign.github_action:write_github_action"),
        only_times=True,
    ),
)
