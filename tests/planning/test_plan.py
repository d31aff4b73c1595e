"""From what a user asks for to what is measured, in which order."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.errors import NotInstalledError, UsageError
from opperf.core.filters.language import parse
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.outcome import Outcome
from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble, now
from opperf.declaring.description import describe
from opperf.declaring.registry import find_operator, operators
from opperf.planning.due import missing_from, unreliable_from
from opperf.planning.plan import make_plan
from opperf.planning.selection import Selection, check_names
from opperf.planning.task import Task, operator_of, task_from
from tests.records import changed

if TYPE_CHECKING:
    from opperf.core.results.result import Result

DIRECTIONS = ("forward", "forward_recorded", "backward", "forward_backward")
SIZES = ("small", "typical", "large", "skewed")


@pytest.fixture(autouse=True)
def _everything_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plan for every framework: a plan imports none, so it does not matter which is here."""
    for name in ("mxnet", "pytorch"):
        monkeypatch.setattr(find_framework(name), "is_installed", lambda: True)


def plan(text: str, *frameworks: str, **options: Any) -> list[Task]:
    """Return the plan of a filter and other wishes."""
    return make_plan(Selection(text=text, frameworks=frameworks or ("numpy",), **options))


def results_of(task: Task) -> list[Result]:
    """Return a stored result for each row of a task."""
    operator = operator_of(task)
    found = []
    for variant, direction in task.rows:
        framework = find_framework(task.framework)
        subject = describe(operator, framework, task.device, task.settings, variant)
        outcome = Outcome(status="failed", reason="a test")
        result = assemble(subject, direction, outcome, {}, now())
        found.append(from_mapping(json.loads(json.dumps(result))))
    return found


def test_frameworks_take_turns_on_each_operator() -> None:
    """Operator by operator, size by size: what is compared is measured close together."""
    tasks = plan("name in (Add, Dot)", "mxnet", "pytorch", sizes=("small", "large"))
    assert [(t.operator, t.size, t.framework) for t in tasks] == [
        (operator, size, framework)
        for operator in ("Add", "Dot")
        for size in ("small", "large")
        for framework in ("mxnet", "pytorch")
    ]


def test_without_a_filter_every_operator_is_planned() -> None:
    """In the typical size, where the framework measures any of its directions."""
    tasks = plan("")
    forward = [name for name, kind in operators().items() if "forward" in kind.all_directions()]
    assert [task.operator for task in tasks] == forward
    assert {task.size for task in tasks} == {"typical"}
    assert {row for task in tasks for row in task.rows if row[1] != "forward"} == set()


def test_rows_are_what_the_operator_and_the_framework_have() -> None:
    """All directions, or the forward alone; fused and unfused where there are both."""
    (add,) = plan("name=Add", "pytorch")
    assert add.rows == tuple(("only", direction) for direction in DIRECTIONS)
    (imul,) = plan("name=IMul", "pytorch")
    assert imul.rows == (("only", "forward"),)
    (fused,) = plan("name=ConvReLU", "pytorch")
    assert fused.rows == tuple((v, d) for v in ("fused", "unfused") for d in DIRECTIONS)
    (reference,) = plan("name=Add", "numpy")
    assert reference.rows == (("only", "forward"),)


def test_a_filter_may_choose_directions() -> None:
    """An operator of which nothing is left is no task."""
    (add,) = plan("name in (Add, IMul) and direction=backward", "mxnet")
    assert (add.operator, add.rows) == ("Add", (("only", "backward"),))
    assert plan("name=Add and direction=backward", "numpy") == []


def test_a_filter_may_choose_frameworks_and_sizes() -> None:
    """Also together, so that each framework has its own sizes."""
    text = "name=Add and (framework=mxnet and size=small or framework=pytorch and size=large)"
    tasks = plan(text, "mxnet", "pytorch", sizes=("all",))
    assert [(t.framework, t.size) for t in tasks] == [("mxnet", "small"), ("pytorch", "large")]


def test_all_sizes_are_those_there_are() -> None:
    """And an unknown one has a nearest match, wherever it stands in the list."""
    assert [task.size for task in plan("name=Exp", sizes=("all",))] == [*SIZES]
    with pytest.raises(UsageError, match="unknown size 'smal'; did you mean 'small'"):
        plan("name=Exp", sizes=("typical", "smal"))


def test_what_is_given_reaches_every_task() -> None:
    """Inputs, dtype, device, settings and whether only to check."""
    settings = Settings(runs=7, seed=3)
    (task,) = plan(
        "name=Exp", dtype="float64", inputs={"data": (3, 4)}, settings=settings, check_only=True
    )
    assert task.inputs == {"dtype": "float64", "data": (3, 4)}
    assert (task.settings, task.check_only, task.device) == (settings, True, "cpu")
    assert task_from(json.loads(task.to_json())).settings == settings


def test_an_input_goes_before_the_dtype_of_the_run() -> None:
    """--input dtype=... and --dtype say the same; the nearer one holds, in filters as well."""
    (task,) = plan("dtype=float64 and name=Exp", inputs={"dtype": "float64"})
    assert task.inputs["dtype"] == "float64"


def test_operators_of_whole_numbers_take_their_first_dtype() -> None:
    """Unless another than the usual one is asked for: a run of all leaves none of them out."""
    chosen = {task.operator: task.inputs["dtype"] for task in plan("name in (BitwiseAnd, Add)")}
    assert chosen == {"Add": "float32", "BitwiseAnd": "int64"}
    assert find_operator("BitwiseAnd")().dtype == "int64"
    (task,) = plan("name=BitwiseAnd", dtype="int8")
    assert task.inputs["dtype"] == "int8"


def test_lists_of_shapes_are_tasks_of_their_own() -> None:
    """First with first; lists of different lengths do not go together."""
    tasks = plan("name=Add", inputs={"lhs": [(2, 2), (3, 3)], "rhs": [(2, 1), (3, 1)]})
    assert [(t.inputs["lhs"], t.inputs["rhs"]) for t in tasks] == [
        ((2, 2), (2, 1)),
        ((3, 3), (3, 1)),
    ]
    with pytest.raises(UsageError, match="lists of shapes must have equal lengths"):
        plan("name=Add", inputs={"lhs": [(2, 2), (3, 3)], "rhs": [(2, 1)]})


def test_devices_take_turns_on_each_operator() -> None:
    """Each is a job of its own, and a filter may leave one out."""
    devices = ("cpu", "cuda:0", "cuda:1")
    tasks = plan("name in (Add, Exp)", "pytorch", devices=devices)
    assert [(task.operator, task.device) for task in tasks] == [
        (operator, device) for operator in ("Add", "Exp") for device in devices
    ]
    assert {task.place for task in tasks} == {("pytorch", device, 1) for device in devices}
    (only,) = plan("name=Add and device=cuda:1", "pytorch", devices=devices)
    assert only.device == "cuda:1"


def test_what_one_device_has_measured_is_not_done_on_another() -> None:
    """A resumed run goes on with the device that is missing."""
    on_cpu, on_gpu = plan("name=Add", "pytorch", devices=("cpu", "cuda:0"))
    assert missing_from([on_cpu, on_gpu], results_of(on_cpu)) == [on_gpu]


def test_one_job_is_planned_once() -> None:
    """Sizes of which the given inputs leave nothing are one and the same."""
    given = {"lhs": (4, 4), "rhs": (4, 4)}
    assert len(plan("name=Add", sizes=("all",), inputs=given)) == 1
    assert len(plan("name=Add", sizes=("small", "small"))) == 1
    different = plan("name=Sum", sizes=("all",), inputs={"axis": 0})
    assert len(different) == len(SIZES)


def test_what_cannot_fit_is_refused_with_its_bytes() -> None:
    """Against the limit asked for; nothing is allocated to find out."""
    with pytest.raises(UsageError, match=r"Exp: the inputs need about \d+ bytes .*, 1000 bytes "):
        plan("name=Exp", sizes=("small",), memory_limit=1000)


def test_a_framework_that_is_not_here_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything else, with what installs it."""
    monkeypatch.setattr(find_framework("mxnet"), "is_installed", lambda: False)
    with pytest.raises(NotInstalledError, match=r"pip install 'opperf\[mxnet\]'"):
        plan("name=Addd", "pytorch", "mxnet")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name=Addd", "unknown operator 'Addd'; did you mean 'Add'?"),
        ("not name in (Add, Dott)", "unknown operator 'Dott'; did you mean 'Dot'?"),
        ("category=gemmm", "unknown category 'gemmm'; did you mean 'gemm'?"),
        ("framework=torch", "unknown framework 'torch'; did you mean 'pytorch'?"),
        ("dtype=float", "unknown dtype 'float'; did you mean 'float"),
        ("size=huge", "unknown size 'huge'; "),
        ("direction=back", "unknown direction 'back'; did you mean 'backward'?"),
        ("status=fine", "unknown status 'fine'; "),
    ],
)
def test_a_value_that_nothing_has_is_refused(text: str, message: str) -> None:
    """It would match nothing, silently; case does not matter."""
    with pytest.raises(UsageError) as caught:
        check_names(parse(text))
    assert str(caught.value).startswith(message)
    check_names(parse("name=add and category=GEMM"))


def test_what_has_a_result_is_not_measured_again() -> None:
    """Row by row: an operator of which a part is stored is measured for the rest."""
    tasks = plan("name in (Add, Exp)", "mxnet", "pytorch", sizes=("small", "skewed"))
    stored = [result for task in tasks[:3] for result in results_of(task)]
    partly = results_of(tasks[3])[:2]
    first, *others = missing_from(tasks, [*stored, *partly])
    assert (first.operator, first.framework, first.rows) == (
        tasks[3].operator,
        tasks[3].framework,
        tasks[3].rows[2:],
    )
    assert others == tasks[4:]
    assert missing_from(tasks, [result for task in tasks for result in results_of(task)]) == []
    assert missing_from(tasks, []) == tasks


def test_unreliable_rows_are_due_once_more() -> None:
    """Just these, once and not where a number of samples was asked for, unless asked for again."""
    tasks = plan("name in (Add, Exp)", "pytorch", sizes=("small",))
    stored = [result for task in tasks for result in results_of(task)]
    summary = {"median": 1.0, "interval": None, "precision": None, "warnings": []}
    ok, noisy, first = (
        changed(stored[at], status=status, summary=summary)
        for at, status in enumerate(["ok", "noisy", "noisy"])
    )
    again = changed(first, result_id="a" * 32, supersedes=first.result_id)
    results = [ok, noisy, first, *stored[3:], again]
    assert unreliable_from(tasks, results) == [replace(tasks[0], rows=tasks[0].rows[1:2])]
    repeated = unreliable_from(tasks, results, repeatedly=True)
    assert repeated == [replace(tasks[0], rows=tasks[0].rows[1:3])]
    surer = changed(first, summary={**summary, "interval": [0.8, 1.2], "precision": 0.2})
    assert unreliable_from(tasks, [ok, noisy, surer, again]) == unreliable_from(tasks, results)
    counted = [replace(task, settings=replace(task.settings, runs=6)) for task in tasks]
    assert unreliable_from(counted, results) == []
    assert len(unreliable_from(counted, results, repeatedly=True)) == len(repeated)


def test_given_inputs_are_told_apart() -> None:
    """Records of other shapes or attributes of the same operator do not count."""
    given = {"data": [(2, 3), (4, 5)]}
    first, second = plan("name=Sum", inputs={**given, "axis": 1})
    assert missing_from([first, second], results_of(first)) == [second]
    (other,) = plan("name=Sum", inputs={"data": (2, 3), "axis": 0})
    assert missing_from([first], results_of(other)) == [first]
