"""What there is to say of single commands of the documents; the others are typed as they stand."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

from opperf.cli import main
from opperf.comparing.arms.venv import MARK
from tests.commits.conftest import write_package
from tests.comparing.arms.wheels import wheel
from tests.docs.commands import ROOT, blocks_in
from tests.docs.place import Place, measured_calls
from tests.history.fleets import MadeFleet, MadeHost, slower_from

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ENVIRONMENT = "0123456789abcdef"
ALL = "measures all operators: ten seconds of processor time even where all but five are missing"
BOTH = "imports both frameworks, in several processes"
LONG: Mapping[str, str] = {
    "opperf ab --a . --b 'ATEN_CPU_CAPABILITY=avx2' --framework pytorch -k name=Exp": "minutes",
    "opperf run -k 'name=Softmax' --cache cold --threads 1,all": "5 s: tests/cli/test_threads",
    "opperf run -k tag=calibration --store results.db": "as long as tag=core",
    "opperf run -k tag=core --store results.db": "3 s: the recipe of a night does the same",
    "make test": "it is what carries this out",
    "make docs": "half a minute: tests/docs/test_site.py builds the site, test_generate the rest",
    "opperf doctor --peaks": "a minute, whatever the framework",
    "opperf list --coverage": BOTH,
    "opperf run --exit-zero": ALL,
    "opperf run --framework plain": ALL,
    "opperf run --quick -k 'name in (Add, Exp, Sum, Dot, Conv2D, Softmax, ConvReLU, Flip)' --size "
    "small,typical": "README's are shorter",
    'make test ARGS="tests/core -k median"': "15 s",
    "opperf run --plain": ALL,
    "python benchmark_driver.py --quiet": ALL,
    'make test ARGS="tests/contracts -k ArcTan"': BOTH,
    "pytest tests/gpu": BOTH,
    "python benchmark_driver.py --task-name resnet50_cifar10_pytorch --num-gpus 0": "trains a "
    "network: tests/tasks/test_examples.py",
}
"""What is typed by hand, and why not every day."""
SPECS = "opperf spec examples/specifications/all.json --list"
SURROUNDED = (
    "opperf method sorting_benchmark.SortingBenchmark.benchmark_words --git-repos "
    '"file://$PWD/sorting" --python-path sorting --data-downloads "file://$PWD/words.tar.gz;texts" '
    '--data-dir data --workspace mine --output-url "file://$PWD/kept"'
)
"""A method with all that may surround it."""
FOLLOWED = "opperf follow tiny --framework numpy -k name=Twice --size small --budget 5s"
SCRIPTED = (
    "opperf follow tiny --framework numpy --frameworks_dir frameworks --platforms cpu "
    "-k name=Twice --budget 5s"
)
FOREVER = (
    "opperf follow --repo_dir tiny --framework numpy -k name=Twice --interval 600 "
    "--commit_file last --status_file status"
)
RENEWED = "opperf fleet certs certs --host head.example.org,10.0.0.1,head --renew"
REGISTRY = "installs packages from a registry"
FLEET = "needs a scheduler, hosts and PostgreSQL, which tests/fleet/test_fleet.py starts"
SPECIFIED = "runs models of real frameworks; tests/specs/test_document.py types it"
CONTRACTS = "a quarter of an hour of tests; .ci/run types the first of them"
CALLS_COMPARED = "sessions of PyTorch; tests/comparing/networks types the like"
CAPTURED = "imports PyTorch, in several processes; tests/calls types the like"
CAPTURED_MXNET = "imports MXNet, in several processes; tests/calls types the like"
TRAINED = "trains a network of a real framework; tests/networks types the like"
BISECTED = "half a minute; tests/commits/bisection/test_bisect.py types it in a repository"
EVERY = "measures every operator of a real framework: an hour"
NOT_TYPED: Mapping[str, str] = {
    "opperf follow nets --benchmark_file net.json --framework pytorch --trust_model --devices cpu "
    "--sessions 1 --most-sessions 1": "a model of a real framework, built twice; "
    "tests/commits/test_follow_spec.py types the like",
    "opperf ab --a mxnet==1.8.0.post0 --b mxnet==1.9.1 -k 'tag=core and category in (arithmetic, "
    "reduction, convolution)' --size small": REGISTRY,
    "opperf ab --arm new=torch==2.13.0 --arm old=torch==2.12.1 --arm mine=~/torch/bin/python "
    "--reference old -k tag=core": REGISTRY,
    "opperf ab --arm eager=. --arm compiled=compile=true --arm half=dtype=bfloat16 --framework "
    "pytorch -k category=activation": "compiles: tests/comparing/rounds types the like",
    "opperf ab --arm one=. --arm two=env.OPENBLAS_CORETYPE=Haswell --framework numpy -k name=Dot "
    "--quick": "sessions: tests/comparing/pairs/test_ab_arms types the like",
    "opperf run -k name=ToRad": "needs the plug-in shown beside it: test_adding types it",
    "opperf run --framework pytorch --check-only --size small": EVERY,
    "opperf run --framework mxnet,pytorch --threads 1 -k 'direction in (forward, backward, "
    "forward_backward)'": EVERY,
    "taskset -c 1 opperf run --framework mxnet,pytorch --threads 1 -k 'direction in (forward, "
    "backward, forward_backward)'": EVERY,
    "opperf run --framework mxnet,pytorch --quick --retry no --size small -k 'category=fused and "
    "direction=forward'": EVERY,
    "opperf run --sweep": "measures all operators at seven sizes; README's sweep has two",
    "make lint": "needs the tools of a real environment; .ci/run types it in the checkout",
    "make test-avx2": CONTRACTS,
    "make test-installs": "half an hour of installing, by gigabytes",
    "opperf profile --builtin resnet18 --mode inference --batch 1": CAPTURED,
    "opperf spec examples/specifications/all.json --trust-model": "measures with real frameworks: "
    "tests/specs/test_example.py does it",
    "opperf profile mine.networks:small --batch 8 -o small.calls.json": CAPTURED,
    "opperf profile --transformers bert --batch 4": "needs a library that is not among the tests'",
    "opperf send last --remote_reporter 'results.example.org/log|operators' --remote_access_token "
    "'$RESULTS_TOKEN'": "asks a server; tests/specs/reporters have one",
    "pip install '.[transformers]'": REGISTRY,
    "pip install '.[images]'": REGISTRY,
    "pip install '.[lmdb]'": REGISTRY,
    "pip install '.[remote]'": REGISTRY,
    "pip install '.[s3]'": REGISTRY,
    "pip install '.[gcs]'": REGISTRY,
    "opperf profile --framework mxnet --builtin resnet18": CAPTURED_MXNET,
    "opperf profile --framework mxnet mine.blocks:small --batch 8": CAPTURED_MXNET,
    "opperf profile --model-zoo mobilenetv2_1.0 --mode inference": CAPTURED_MXNET,
    "opperf profile --symbol net-symbol.json --input data=1,3,224,224": CAPTURED_MXNET,
    "opperf run --calls resnet18.calls.json --quick --top 10": CAPTURED,
    "opperf run --calls resnet18_v1.calls.json --quick --top 10": CAPTURED_MXNET,
    "opperf run --calls small.calls.json --batch 2 --quick": CAPTURED,
    "opperf run --calls alexnet.txt --dtype float32 --check-only": CAPTURED,
    "opperf ab --calls resnet18.calls.json --a torch==2.12.* --b torch==2.13.0": CALLS_COMPARED,
    "opperf ab --calls small.calls.json --a . --b OMP_NUM_THREADS=2 "
    "--network mine.networks:small --quick": CALLS_COMPARED,
    "opperf run --calls alexnet.txt --dtype float32 --framework pytorch,mxnet --quick": CAPTURED,
    "opperf run --calls alexnet.txt --dtype float32 --framework mxnet --check-only": CAPTURED,
    "opperf ab --model resnet18 --batch_size 4 --a torch==2.12.* --b torch==2.13.0": TRAINED,
    "opperf profile --model resnet50 --phase training": CAPTURED,
    "opperf spec digits.json --list": SPECIFIED,
    "opperf spec digits.json --trust-model": SPECIFIED,
    "opperf show --metrics time,throughput,peak_memory,profiled": SPECIFIED,
    "opperf spec digits.json --trust-model --framework pytorch --save-outputs golden": SPECIFIED,
    "opperf spec checked.json --trust-model": SPECIFIED,
    "opperf spec script.json --model_cache models": SPECIFIED,
    "opperf spec all.json --list": SPECIFIED,
    "opperf spec --benchmark_file digits.json --framework pytorch --platform cpu --model_cache "
    "models --trust_model --local_reporter reports --screen_reporter --run_type verify --info "
    '\'{"treatment": {"commit": "0123abc"}}\'': SPECIFIED,
    "opperf ab --spec checked.json --trust-model --framework pytorch --a . --b OMP_NUM_THREADS=2 "
    "--sessions 1 --most-sessions 1": SPECIFIED,
    "pip install '.[onnx]'": REGISTRY,
    "opperf model deep_mnist --batch_size 4 --num_batches 6": TRAINED,
    "COLUMNS=100 opperf model resnet18 mobilenet_v2 --batch_size 2 --budget 25": "two minutes",
    "opperf model deep_mnist --framework pytorch --batch_size 8 --processes 2": TRAINED,
    "opperf model resnet18 vgg16 --forward_only --framework pytorch --threads all": TRAINED,
    "opperf bisect c1 c32 -k name=Squash --framework numpy --size small": BISECTED,
    "opperf bisect v2.12.0 HEAD --repo ../pytorch --build-script build.sh -k 'name=Softmax' "
    "--budget 2h": BISECTED,
    "opperf bisect 2.9.0 2.13.0 --versions torch -k 'name=Softmax and direction=forward'": REGISTRY,
    "opperf bisect 1.25.0 2.2.0 --versions numpy -k name=Add --framework numpy --size small "
    "--direction any": REGISTRY,
    "opperf bisect --resume": BISECTED,
    "opperf list --calls trace.json": "needs the trace that is recorded above it",
    "DNNL_MAX_CPU_ISA=SSE41 ONEDNN_MAX_CPU_ISA=SSE41 ATEN_CPU_CAPABILITY=default make test "
    "ARGS='tests/contracts -k \"half_precision or Quantized\"'": CONTRACTS,
    "pip install '.[pytorch]'": REGISTRY,
    "pip install 'opperf[plot]'": REGISTRY,
    "pip install 'opperf[fleet]'": REGISTRY,
    "opperf run -k tag=core --fleet tls://head.example.org:8786 --certs certs/hosts/me": FLEET,
    "opperf run Add Conv2D --fleet tls://head.example.org:8786 --certs certs/hosts/me "
    "--on 'cpu=*EPYC*' --hosts-per-kind 3": FLEET,
    "opperf ab --a torch==2.12.0 --b torch==2.13.0 -k tag=core "
    "--fleet tls://head.example.org:8786 --certs certs/hosts/me --detach": FLEET,
    "opperf model resnet50 --fleet tls://head.example.org:8786 --certs certs/hosts/me": FLEET,
    "opperf resume 20261124T101500-3f9a1c --fleet tls://head.example.org:8786 --certs "
    "certs/hosts/me": FLEET,
    "opperf fleet status": FLEET,
    "opperf fleet status --html fleet.html": FLEET,
    "opperf fleet wait last --format json": FLEET,
    "opperf fleet logs last --job 7": FLEET,
    "opperf fleet cancel 20261124T101500-3f9a1c": FLEET,
    "opperf venv lock torch==2.12.0": REGISTRY,
    "opperf venv lock torch==2.2.0": REGISTRY,
    "opperf ab --a torch==2.12.0 --b . --lock a=old.lock -k name=Exp --framework pytorch": REGISTRY,
    "pip install '.[peers]'": REGISTRY,
    "pip install '.[yaml]'": REGISTRY,
    "TYPED=long make test ARGS=tests/docs/test_commands.py": "it would carry itself out",
    "opperf venv make torch==2.2.0 'numpy>=1.23.5,<2'": REGISTRY,
    "opperf ab --a . --b tiny/bin/python": "needs an environment with NumPy; of another python "
    "tests/comparing/pairs types the like",
    ".venv/bin/pre-commit install": "changes the checkout's git configuration",
}
"""What is understood by the parser that would read it, and not typed, with the reason."""
SCRIPTS: Mapping[str, str] = {
    "benchmarks/accuracy.py": "45 minutes",
    "benchmarks/against_release.py": "builds an environment of the last release",
    "benchmarks/judging_simulated.py": "two minutes; tests/commits/bisection judges by hand",
    "benchmarks/bisection_simulated.py": "minutes; tests/commits/bisection simulates a part",
    "benchmarks/change_points.py": "needs another tool's environment",
    "benchmarks/environment_shift.py": "minutes",
    "benchmarks/fleet_faults.py": "ten minutes; tests/fleet/test_programs.py has a part",
    "benchmarks/fleet_quiet.py": "minutes",
    "benchmarks/fleet_simulated.py": "minutes; tests/fleet/test_programs.py has a part",
    "benchmarks/fuzz_inputs.py": "minutes to hours, by its first word",
    "benchmarks/gpu_clock.py": "needs a GPU",
    "benchmarks/hostile.py": "many minutes; tests/faults/test_hostile.py has a part",
    "benchmarks/in_place_alike.py": "minutes; both frameworks",
    "benchmarks/method_figures.py": "minutes; both frameworks",
    "benchmarks/pooled_simulated.py": "hours; tests/history has the parts",
    "benchmarks/report_page.py": "needs a browser; tests/reporting/page measures in one",
    "benchmarks/session_spread.py": "minutes",
    "benchmarks/site_of_runs.py": "a minute and 1 GB",
    "benchmarks/starting.py": "a minute",
    "benchmarks/store_scale.py": "ten minutes and 2 GB",
    "benchmarks/model_overhead.py": "a minute; both frameworks",
    "benchmarks/suite_cost.py": "an hour; test_suite_cost types it with one operator",
    "benchmarks/verdicts.py": "half an hour",
    "benchmarks/watched_command.py": "a minute, and a log of 1 GB",
    "docs/execute_notebooks.py": "changes the notebooks; test_notebooks runs the same",
    "docs/screenshots.py": "needs a browser",
    "examples/attempt.py": "tests/contracts attempts each of the limitations",
    "tests/contracts/timed.py": "writes a file of the tests, of both frameworks",
}
"""Programs of the checkout whose options are read as documented, and not more, with the reason."""
SUMMARY = "summary.md"
"""What a job of GitHub Actions shows."""
PUSHED = {"GITHUB_ACTIONS": "", "GITLAB_CI": "true"}
"""A pipeline of no merge request; tests/reporting/comments has those of some."""
NO_COMMENT = r"no comment: this job is of no pull request"
NARROWER: Mapping[str, Mapping[str, str]] = {
    "opperf run -k 'name in (Add, Dot)' --sweep": {"OPPERF_MEMORY_LIMIT": "150MB"},
    "make test": {"PYTEST_ADDOPTS": "tests/docs/test_glossary.py"},
    "make bench": {"PYTEST_ADDOPTS": "-k test_look_at_the_precision"},
    "opperf report RUN --github": {"GITHUB_STEP_SUMMARY": SUMMARY},
    "opperf report RUN --comment NAME": PUSHED,
    "opperf report last --comment NAME": PUSHED,
}
"""What else bounds a command."""
WORSE, FAILED = 10, 11
EXPECTED: Mapping[str, tuple[int, ...]] = {
    "opperf ab --a . --b 'ATEN_CPU_CAPABILITY=avx2' --framework pytorch -k name=Exp": (0, WORSE),
    "opperf ab --method sorting_benchmark.SortingBenchmark.benchmark_sorting --a . "
    "--b PYTHONHASHSEED=1 --quick": (0, WORSE),
    "opperf ab --task sorting --config tasks.cfg --a . --b PYTHONHASHSEED=1 --metric speed": (
        0,
        WORSE,
    ),
    "opperf changes --store results.db": (WORSE,),
    "opperf changes --since last --store results.db": (WORSE,),
    "opperf changes --since 2026-09-15 --store results.db": (WORSE,),
    "opperf resume last": (FAILED,),
    "opperf resume RUN --unreliable": (FAILED,),
}
"""Exit codes other than 0, as the documents explain them."""
SHOWN: Mapping[str, str] = {
    "opperf show last -k 'framework=mxnet'": r"(?m)^Add .*forward",
    "opperf show --statistics": r"p90",
    "opperf list activation": r"(?m)^Sigmoid +activation",
    "opperf resume RUN --unreliable": r"(?m)^few +Dot ",
    "opperf resume last": r"(?m)^few +Dot ",
    "opperf compare RUN_A RUN_B": r"15\.0 +1\.49",
    "opperf venv list": r"no environments",
    "opperf venv show KEY": r"^tiny==1\.0\n$",
    "opperf venv make wheels/tiny-1.0-py3-none-any.whl --offline --path tiny": r"tiny/bin/python",
    "opperf venv make tiny --find-links wheels --offline --constraint pins.txt": r"/bin/python",
    "opperf venv make mxnet==1.9.1 --print-command --apt-package libgomp1=12.2.0-14+deb12u1": (
        r"(?m)^docker build .*\n(.*\n)+.* pip install --no-cache-dir mxnet==1\.9\.1$"
    ),
    "opperf task sorting --config tasks.cfg --print-command --pip-spec numpy==1.26.4": (
        r"(?m)^docker run .* opperf task sorting --config tasks\.cfg$"
    ),
    "opperf method sorting_benchmark.SortingBenchmark.benchmark_sorting --print-command "
    "--container-gpus all": r"(?m)^docker run .* --gpus all ",
    "opperf machine create --engine skypilot --gpus A100:8 --idle-stop 1h": (
        r"sky launch --yes .*--gpus A100:8 --idle-minutes-to-autostop 60"
    ),
    "opperf machine create --engine slurm --gpus a100:8 --lifetime 8h --partition gpu -- opperf "
    "run --quiet": r"sbatch .*--gpus-per-node=a100:8 --time=480 --wrap=opperf run --quiet",
    "opperf machine create --engine kubernetes --image registry.example/opperf:1.0 --gpus 2 "
    "--cpus 16 --memory 64GiB": r"kubectl create --filename -",
    "opperf machine status --engine skypilot": r"sky status --refresh opperf",
    "opperf machine stop --engine skypilot": r"sky stop --yes opperf",
    "opperf machine start --engine skypilot": r"sky start --yes opperf",
    "opperf machine delete --engine skypilot --yes": r"sky down --yes opperf",
    "opperf machine create --engine slurm --engine-option=--account=us --print-command": (
        r" && sbatch .* --account=us '--wrap=sleep infinity'"
    ),
    "opperf machine stop --engine slurm --print-command": r'requeuehold Incomplete "\$\(squeue ',
    "opperf env": r"(?m)^few +cpu ",
    "opperf config --precision 0.01": r"precision +0\.01 +command line",
    "opperf schema result": r'"title": ',
    "opperf list --calls alexnet.txt --times last": r"27 of 27 calls have a time",
    "opperf schema calls": r'"title": "CallsRecord"',
    "opperf schema spec": r'"title": "SpecRecord"',
    SPECS: r"(?m)^perceptron +python +perceptron-3 +error +data 4x64",
    "opperf list --calls bert.calls.json alexnet.txt": r"(?m)^aten\.mm\.default .* declared .*Dot",
    "opperf import last --store results.db": r"\d\d results stored",
    "opperf history Dot --store results.db": r"(?m)^Dot .*few .*forward",
    "opperf history Dot --framework mxnet --since 1y --store results.db": r"(?m)^Dot .*mxnet",
    "opperf history Add --metric outputs --store results.db": r"\d+ sessions with outputs",
    "opperf db hosts --store results.db": r"build3 .*1\.0\d\d \[1",
    "opperf changes --since 2026-09-15 --store results.db": r"host: .* build3 changed",
    "opperf history Dot --kind 'EPYC 7B13' --store results.db": r"code: .* Dot",
    "opperf history Dot --host build1 --store results.db": r"host build1, AMD EPYC 7B13",
    "opperf changes --store results.db": r"10\.0 us -> 15\.0 us .*slower",
    "opperf changes --since last --store results.db": r"10\.0 us -> 15\.0 us .*slower",
    "opperf report RUN --github": r"## opperf: ",
    "opperf report RUN --comment NAME": NO_COMMENT,
    "opperf report last --comment NAME": NO_COMMENT,
    "opperf baseline show --name v1 --store results.db": r"Add .*1\.49",
    "opperf show last --against 20261120 --store results.db": r"Add",
    "opperf run -k 'name in (Add, Dot)' --sweep": r"fixed cost",
    "make run": r"(?m)^Softmax ",
    "opperf task sorting --config tasks.cfg": r"(?m)^first +0 ",
    "opperf task sorting --config tasks.cfg --sessions 3 --store results.db": r"1 results stored",
    "opperf task --config tasks.cfg --list-tasks": r"(?m)^sorting +1 +python sorting\.py",
    SURROUNDED: r"(?s)sorting: fetching.*words\.tar\.gz: fetching.*benchmark_words",
    "opperf method --benchmark_methods=sorting_benchmark.SortingBenchmark.benchmark_sorting": (
        r'(?m)^  "benchmark_result": '
    ),
    "opperf method sorting_benchmark.SortingBenchmark.filter:benchmark_ --format table": (
        r" ok +20 .*first 0 \(at"
    ),
    "opperf method sorting_benchmark.SortingBenchmark.filter:benchmark_ --list": r"benchmark_words",
    "opperf method sorting_benchmark.SortingBenchmark.filter:benchmark_ --summary --quiet": (
        r'"wall_time": -1'
    ),
    "opperf method sorting_benchmark.SortingBenchmark.benchmark_sorting --sessions 3 "
    "--format table": r" (ok|noisy) +20 ",
    "opperf method sorting_benchmark.SortingBenchmark.benchmark_sorting "
    "--profiler_enabled_time=0: --quiet": r'"reason": "no framework with a profiler',
    "opperf method sorting_benchmark.SortingBenchmark.benchmark_words --plot --quiet": (
        r'"max_rss": \d+'
    ),
    "opperf model --experiments night.toml --dry-run": r"(?m)^6 +mxnet +alexnet +4",
    "opperf model --experiments night.toml -P exp.model=deep_mnist -P "
    "'exp.framework=[\"pytorch\"]' --dry-run": r"(?m)^2 +pytorch +16",
    "opperf model --list-parameters": r"(?m)^pytorch\.cudnn_fastest +bool +False",
    "opperf import resnet50.log --at 2018-10-01 --store results.db": r"1 results stored",
    "python benchmark_driver.py --list-tasks": r"(?m)^resnet50_cifar10_hybrid +0 ",
    "opperf import runs/2026*/results.jsonl --store results.db": r"skipped: .* is a comparison",
    FOLLOWED: r"(?m)^[0-9a-f]{12} cpu \w+ against [0-9a-f]{12} \(Describe it\)",
    SCRIPTED: r"building .*: sh .*(.|\n)*\(Describe it\)",
}
"""Passages of what is printed, or of the file that is written."""
SILENT = ("make venv", "make venv TORCH_INDEX=URL", "export OPPERF_HOST=build1")
"""What has nothing to say where nothing is to be done."""


PLACEHOLDERS: Mapping[str, Callable[[Place], str]] = {
    r"\bRUN_A\b": lambda place: place.runs[0].run_id,
    r"\bRUN_B\b": lambda place: place.runs[-1].run_id,
    r"\bRUN\b": lambda place: place.runs[-1].run_id,
    r"\b20261120\b": lambda place: place.runs[0].run_id,
    r"\b2026\*": lambda _: "2*",
    r"\b1a2b3c4d5e-20260501T020000\b": Place.change,
    r"\b2026-12-31\b": lambda _: "9999-12-30",
    r"\bmyframework\b": lambda _: "few",
    r"\.\.\.": lambda _: "-k name=Add",
    r"\bSHELL\b": lambda _: "bash",
    r"\bKEY\b": lambda _: ENVIRONMENT,
    r"\bURL\b": lambda _: "https://example.org/simple",
}
"""What stands in the documents for something of the reader's own."""


def filled(text: str, place: Place) -> str:
    """Return what a reader types here."""
    for placeholder, value in PLACEHOLDERS.items():
        if re.search(placeholder, text):
            text = re.sub(placeholder, value(place), text)
    return text


def older_store(place: Place) -> None:
    """Leave a store that knows one night only."""
    shutil.copy(place.path / "other.db", place.path / "results.db")


def no_store(place: Place) -> None:
    """Leave no store."""
    place.path.joinpath("results.db").unlink()


def interrupted(place: Place) -> None:
    """Make the last run one that was interrupted before it came to a framework."""
    place.forget("few")


def store_of_hosts(place: Place) -> None:
    """Leave a store of three hosts, on all of which Dot became slower, and one of which drifts."""
    line = json.loads(place.runs[-1].results_path.read_text().splitlines()[0])
    line |= {"supersedes": None, "status": "ok", "reason": None}
    line["summary"] = {"n": 12, "median": 1e-3, "interval": None, "precision": None, "warnings": []}
    slow = slower_from(18, 1.05, "Dot")
    drifting = slower_from(18, 1.1)
    hosts = [MadeHost(f"build{place}", drifting if place == 3 else slow) for place in (1, 2, 3)]
    paths = MadeFleet(hosts).write(place.path / "hosts", line)
    place.path.joinpath("results.db").unlink()
    store = ("--store", str(place.path / "results.db"))
    for words in (("db", "init", *store), ("import", *paths, *store)):
        assert main(words) == 0


def two_stores(place: Place) -> None:
    """Leave a store to copy from and one to copy to."""
    for name in ("damaged.db", "new.db"):
        shutil.copy(place.path / "other.db", place.path / name)


def environment(place: Place) -> None:
    """Leave an environment, as its folder says that it is complete."""
    folder = place.path / "home" / ".cache" / "opperf" / "venvs" / ENVIRONMENT
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").touch()
    (folder / MARK).write_text('{"requirements": ["tiny"], "packages": ["tiny==1.0"]}')


def local_wheels(place: Place) -> None:
    """Leave a folder of wheels, and a file of versions."""
    wheel(place.path / "wheels")
    (place.path / "pins.txt").write_text("tiny==1.0\n")


def own_model(place: Place) -> None:
    """Leave the network that docs/networks.md adds."""
    document = (ROOT / "docs" / "networks.md").read_text(encoding="utf-8")
    (text,) = [text for text in blocks_in(document, ("python",)) if "class MyNet" in text]
    folder = place.path / "models" / "pytorch"
    folder.mkdir(parents=True)
    (folder / "my_net.py").write_text(text)


def watched_samples(place: Place) -> None:
    """Leave samples of a method's processes."""
    sample = '{"time": 0.0, "rss": 1, "vms": 2, "cpu_percent": 0.0}\n'
    (place.path / "process_info.log").write_text(sample)


def surrounded(place: Place) -> None:
    """Leave a repository and an archive."""
    git = "git -C sorting -c user.name=me -c user.email=me@example.org"
    made = place.type(
        "mkdir sorting && cp sorting_benchmark.py sorting && tar -czf words.tar.gz README.md && "
        f"{git} init --quiet && {git} add . && {git} commit --quiet -m 'Add a class'"
    )
    assert made.returncode == 0, made.stderr


def repository(place: Place) -> None:
    """Leave the repository of docs/follow.md, a script that builds it, and a driver that is to end.

    Building it takes what the documents' commands are given: no package index.
    """
    document = (ROOT / "docs" / "follow.md").read_text(encoding="utf-8")
    module, operators, _, script = blocks_in(document, ("text",))
    folder, scripts = place.path / "tiny", place.path / "frameworks" / "numpy" / "cpu"
    write_package(folder)
    (folder / "tiny_operators.py").write_text(operators)
    scripts.mkdir(parents=True)
    (scripts / "build.sh").write_text(script)
    (place.path / "status").write_text("0")
    git = "git -C tiny -c user.name=me -c user.email=me@example.org"
    (folder / "tiny.py").write_text(module)
    begun = place.type(f"git init --quiet tiny && {git} add . && {git} commit -qm 'Add twice'")
    (folder / "tiny.py").write_text(f"# Twice a tensor.\n{module}")
    ended = place.type(f"{git} commit -qam 'Describe it'")
    assert begun.returncode == ended.returncode == 0, begun.stderr + ended.stderr


def certificates(place: Place) -> None:
    """Leave an authority and the certificate of a scheduler."""
    made = place.type("opperf fleet certs certs --host head.example.org,10.0.0.1")
    assert made.returncode == 0, made.stderr


PREPARED: Mapping[str, Callable[[Place], None]] = {
    FOLLOWED: repository,
    SCRIPTED: repository,
    FOREVER: repository,
    SURROUNDED: surrounded,
    RENEWED: certificates,
    "opperf resume last": interrupted,
    "opperf model my_net --model-dir models --framework pytorch --batch_size 4": own_model,
    "opperf plot process_info.log": watched_samples,
    "opperf list --calls alexnet.txt --times last": measured_calls,
    "opperf report last --html network.html": measured_calls,
    "opperf db merge damaged.db --store new.db": two_stores,
    "opperf db hosts --store results.db": store_of_hosts,
    "opperf changes --since 2026-09-15 --store results.db": store_of_hosts,
    "opperf history Dot --kind 'EPYC 7B13' --store results.db": store_of_hosts,
    "opperf history Dot --host build1 --store results.db": store_of_hosts,
    "opperf db init --store results.db": no_store,
    "opperf import last --store results.db": older_store,
    "opperf venv show KEY": environment,
    "opperf venv make wheels/tiny-1.0-py3-none-any.whl --offline --path tiny": local_wheels,
    "opperf venv make tiny --find-links wheels --offline --constraint pins.txt": local_wheels,
    "opperf import runs/2026*/results.jsonl --store results.db": older_store,
}
"""What goes before."""
