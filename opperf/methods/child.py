"""The process of one benchmark method: the class is made, the method run, its report written.

It is started anew for each method, and for the look-up of names. What goes wrong with a method is
in the file that it leaves behind, as is every report as soon as it is made; a process that ends
beforehand leaves what it had. It needs the standard library, and what the method needs.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextlib import contextmanager
from dataclasses import asdict
from functools import wraps
from inspect import Parameter, signature
from math import isfinite
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from opperf.core.errors import OpperfError, error_text
from opperf.methods.lookup import REPORT, find_class, methods_of, reporting_base
from opperf.methods.profiling import PROFILER_DATA, WindowProfiler
from opperf.methods.report import make_report
from opperf.methods.windows import parse_windows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opperf.methods.report import MethodReport

DATA = ("root_data_dir", "data_dir")
"""Both spellings of a constructor's argument for the data sets; the first where it takes any."""
FRAMEWORKS = {"torch": "pytorch", "mxnet": "mxnet", "tensorflow": "tensorflow"}
"""The names of what a method may have imported."""
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
BASE = ("iters", "wall_time", "metrics", "extras", "cpu_time", "throughput")


class AnswerFile:
    """The file for the parent, whole at every moment."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.fields: dict[str, Any] = {}
        self.lock = RLock()

    def add(self, **fields: Any) -> None:
        """Add fields, and write all of them; any thread may."""
        with self.lock:
            self.fields |= fields
            partial = self.path.with_name(f"{self.path.name}.part")
            partial.write_text(json.dumps(plain(self.fields), allow_nan=False), encoding="utf-8")
            partial.replace(self.path)

    def take(self, report: MethodReport) -> None:
        """Write a report; of several the last one counts."""
        self.add(report=asdict(report), reports=self.fields.get("reports", 0) + 1)


def plain(value: Any) -> Any:
    """Return a value as JSON has it; what is no number that JSON knows, as a text."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return repr(value) if isinstance(value, float) and not isfinite(value) else value


def main(path: str) -> None:
    """Do the job that a file describes."""
    job = json.loads(Path(path).read_text(encoding="utf-8"))
    answer = AnswerFile(job["answer"])
    if "names" in job:
        look_up(job["names"], answer)
    else:
        run(job, answer)


def look_up(names: list[str], answer: AnswerFile) -> None:
    """Answer with the methods that the names stand for, each once, or with what is wrong."""
    found: dict[str, None] = {}
    try:
        for name in names:
            answer.add(name=name)  # whose module may end the process
            found |= dict.fromkeys(methods_of(name))
    except OpperfError as error:
        answer.add(fault=str(error))
    else:
        answer.add(methods=[*found], finished=True)


def run(job: Mapping[str, Any], answer: AnswerFile) -> None:
    """Run one method from the making of its class to its end."""
    answer.add(finished=False)
    path, _, method = job["name"].rpartition(".")
    try:
        kind = find_class(path, job["name"])
        log_to_output(debug=job["debug"])
        divert(kind, answer.take)
        instance = kind(**constructor_arguments(kind, job["output_dir"], job["data_dir"]))
        with profiled(job, answer):
            getattr(instance, method)()
    except SystemExit as error:
        if error.code not in (None, 0):
            answer.add(exception=f"it ended itself with status {error.code}")
    except BaseException as error:  # noqa: BLE001 - whatever a method of somebody's raises
        traceback.print_exc()
        answer.add(exception=f"{error_text(error)}{place_of(error)}")
    answer.add(finished=True, framework=framework_facts())


def log_to_output(*, debug: bool) -> None:
    """Let what is logged be printed, unless the method's modules have set that otherwise."""
    root = logging.getLogger()
    if not root.handlers:
        logging.basicConfig(level=logging.INFO, format=LOG_FORMAT)
    if debug:
        root.setLevel(logging.DEBUG)


@contextmanager
def profiled(job: Mapping[str, Any], answer: AnswerFile) -> Iterator[None]:
    """Let profilers record in the windows that the job has, while a method runs."""
    windows = parse_windows(job["windows"]) if job["windows"] else []
    if not windows:
        yield
        return
    folder = Path(job["output_dir"], PROFILER_DATA)
    profiler = WindowProfiler(windows, folder, lambda traces: answer.add(traces=[*traces]))
    profiler.start()
    try:
        yield
    finally:
        profiler.finish()


def place_of(error: BaseException) -> str:
    """Return the last place in the method's own code that an error came through."""
    places = traceback.extract_tb(error.__traceback__)
    outside = [place for place in places if Path(place.filename).parent != Path(__file__).parent]
    return f" ({Path(outside[-1].filename).name}:{outside[-1].lineno})" if outside else ""


def divert(kind: type, take: Callable[[MethodReport], None]) -> None:
    """Let the base class hand its reports over in place of what it does with them otherwise.

    Classes between it and the method's own may add to a report, and still do.
    """
    base = reporting_base(kind)
    if base is None:
        return
    original = vars(base)[REPORT]
    parameters = signature(original)

    @wraps(original)
    def report_benchmark(self: object, *positional: Any, **named: Any) -> None:
        given = dict(parameters.bind(self, *positional, **named).arguments)
        for name, parameter in parameters.parameters.items():
            if parameter.kind is Parameter.VAR_KEYWORD:
                given |= given.pop(name, {})
        take(make_report({name: given[name] for name in BASE if name in given}))

    setattr(base, REPORT, report_benchmark)


def constructor_arguments(kind: type, output_dir: str, data_dir: str) -> dict[str, str]:
    """Return what a class is made with: the folders, under the names that it gives them.

    One that takes any name is handed the folder of the data sets under the spelling that a class
    above it has.
    """
    try:
        parameters = signature(kind).parameters
    except (TypeError, ValueError):  # of a class written in C nobody can tell
        return {}
    named = {*parameters}
    if any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values()):
        above = {name for base in kind.__mro__ for name in names_of(vars(base).get("__init__"))}
        spelled = [name for name in DATA if name in above] or [DATA[0]]
        named |= {"output_dir"} | ({*spelled} if not named & {*DATA} else set())
    offered = {"output_dir": output_dir, **dict.fromkeys(DATA, data_dir)}
    return {name: value for name, value in offered.items() if name in named}


def names_of(function: Any) -> set[str]:
    """Return the names of a function's parameters, none where it is no function of Python."""
    code = getattr(function, "__code__", None)
    return {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]} if code else set()


def framework_facts() -> dict[str, str | None]:
    """Return name, version and commit of the framework that the method has imported."""
    for module, name in FRAMEWORKS.items():
        found = sys.modules.get(module)
        version = getattr(found, "__version__", None)
        if version is not None:
            own = getattr(getattr(found, "version", None), "git_version", None)
            commit = own or getattr(found, "__git_version__", None)
            return {"name": name, "version": str(version), "commit": commit and str(commit)}
    return {"name": None, "version": None, "commit": None}


if __name__ == "__main__":
    main(sys.argv[1])
