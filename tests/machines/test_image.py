"""`--print-command`: a Dockerfile without a finding of hadolint, and commands of whole words."""

from __future__ import annotations

import csv
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opperf.cli import main
from opperf.cli.tasks import containers
from opperf.core.errors import UsageError
from opperf.machines.container import Container, folder_of, mount, outermost, run_words
from opperf.machines.image import ImageSpec, build_text, dockerfile, image_name, this_opperf
from opperf.machines.shell import END, with_input
from tests.conftest import told
from tests.docs.commands import blocks_in

BASE = "python:3.11.7-slim-bookworm"
REVISION = "0" * 40
WHOLE = ImageSpec(
    base=BASE,
    packages=("torch==2.2.0", "transformers[torch]==4.40.0"),
    system=("libgomp1=12.2.0-14+deb12u1", "git=1:2.39.5-0+deb12u2"),
    checkout=Path("/srv/my opperf"),
    revision=REVISION,
)
LEAST = ImageSpec(base=BASE)
WHOLE_TEXT = f"""\
docker build --tag opperf:@ --label org.opencontainers.image.revision={REVISION} --file - \
'/srv/my opperf' <<'END-OF-INPUT'
# opperf and what it is to measure, in versions that do not change.
FROM python:3.11.7-slim-bookworm
RUN apt-get update \\
    && apt-get install --yes --no-install-recommends libgomp1=12.2.0-14+deb12u1 \
git=1:2.39.5-0+deb12u2 \\
    && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/opperf
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE benchmark_driver.py ./
COPY docs/man/ docs/man/
COPY opperf/ opperf/
RUN useradd --create-home --uid 1000 opperf \\
    && python -m pip install --no-cache-dir --constraint constraints.txt . \\
    && python -m pip install --no-cache-dir torch==2.2.0 'transformers[torch]==4.40.0'
USER 1000:1000
WORKDIR /work
CMD ["opperf", "--help"]
END-OF-INPUT"""
LEAST_TEXT = """\
docker build --tag opperf:@ - <<'END-OF-INPUT'
# opperf and what it is to measure, in versions that do not change.
FROM python:3.11.7-slim-bookworm
WORKDIR /opt/opperf
RUN useradd --create-home --uid 1000 opperf \\
    && python -m pip install --no-cache-dir opperf==0.1.0
USER 1000:1000
WORKDIR /work
CMD ["opperf", "--help"]
END-OF-INPUT"""


@pytest.mark.parametrize(("spec", "text"), [(WHOLE, WHOLE_TEXT), (LEAST, LEAST_TEXT)])
def test_the_dockerfile_is_this(spec: ImageSpec, text: str) -> None:
    """Of a checkout, or of a release."""
    assert build_text(spec) == text.replace("opperf:@", image_name(spec))


@pytest.mark.parametrize("spec", [WHOLE, LEAST, ImageSpec(packages=("mxnet==1.9.1",))])
def test_hadolint_finds_nothing(spec: ImageSpec, tmp_path: Path) -> None:
    """Not even what it merely informs of."""
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if hadolint is None and "CI" not in os.environ:
        pytest.skip("hadolint is not installed: make venv")
    assert hadolint is not None
    path = tmp_path / "Dockerfile"
    path.write_text(dockerfile(spec), encoding="utf-8")
    command = [hadolint, "--no-color", "--failure-threshold", "style", str(path)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "")


def test_the_document_shows_what_is_printed() -> None:
    """Of the task of docs/tasks.md, but for the image's name."""
    document = (Path(__file__).parents[2] / "docs" / "machines.md").read_text(encoding="utf-8")
    (block,) = blocks_in(document, ("text",))
    spec = ImageSpec(
        base=BASE, packages=("numpy==1.26.4",), checkout=Path("/srv/opperf"), revision="COMMIT"
    )
    container = Container(image="opperf:TAG", directory=Path("/srv/night"), user=(1000, 1000))
    words = run_words(container, ["opperf", "task", "sorting", "--config", "tasks.cfg"])
    assert block == f"{build_text(spec, words)}\n".replace(image_name(spec), "opperf:TAG")


def test_what_an_image_takes_is_there() -> None:
    """The checkout that runs these tests has all that is copied."""
    checkout, _ = this_opperf()
    assert checkout == Path(__file__).parents[2]
    copied = [line.split()[1:-1] for line in dockerfile(WHOLE).splitlines() if "COPY" in line]
    assert all((checkout / name).exists() for names in copied for name in names)


def test_an_image_is_named_by_what_it_holds() -> None:
    """The same for the same, and another for another package or commit."""
    names = {image_name(WHOLE), image_name(LEAST), image_name(ImageSpec(base=BASE, revision="1"))}
    assert len(names) == 3
    assert image_name(ImageSpec(base=BASE)) == image_name(LEAST)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["torch"], "an image cannot hold 'torch': give NAME==VERSION"),
        (["torch>=2"], "an image cannot hold 'torch>=2'"),
        (["./tiny.whl"], "an image cannot hold './tiny.whl'"),
        (["torch==2.2.0\nUSER root"], "an image cannot hold 'torch==2.2.0\\nUSER root'"),
        (["torch==1; rm -rf /"], "an image cannot hold"),
        (["torch==1", "--apt-package", "git"], "--apt-package 'git': must be NAME=VERSION"),
        (["torch==1", "--apt-package", "git=1 && id"], "must be NAME=VERSION"),
        (["torch==1", "--base-image", "python"], "--base-image 'python': must be NAME:TAG"),
        (["torch==1", "--base-image", "python:latest"], "a tag other than latest"),
        (["torch==1", "--base-image", "a:1\nRUN id"], "must be NAME:TAG"),
        (["torch==1", "--base-image", "a:" + "1" * 300], "must be NAME:TAG"),
        (["torch==1", "--path", "x"], "--path is of an environment of this machine"),
        (["torch==1", "--offline"], "--offline is of an environment of this machine"),
    ],
)
def test_a_wrong_image_is_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names the value and what is allowed; nothing is printed."""
    assert main(["venv", "make", *words, "--print-command"]) == 2
    said = capsys.readouterr()
    (line,) = told(said.err)
    assert reason in line
    assert said.out == ""


def test_an_environment_s_image_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """With the packages named, and the base image that is given."""
    digest = f"python@sha256:{'a' * 64}"
    words = ["venv", "make", "mxnet==1.9.1", "--print-command", "--base-image", digest]
    assert main(words) == 0
    checkout, revision = this_opperf()
    spec = ImageSpec(base=digest, packages=("mxnet==1.9.1",), checkout=checkout, revision=revision)
    assert capsys.readouterr().out == f"{build_text(spec)}\n"


NAMES = ["plain", "two words", "it's", 'a"b', "a,target=/etc", "a;id", "$(id)", "-x", "ü", "*"]


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_a_folder_is_more_than_a_name(name: str, tmp_path: Path) -> None:
    """Of whatever the shell makes words, and docker reads as CSV, it comes out as it is."""
    folder = tmp_path / name
    words = run_words(Container(image="a:1", directory=folder, user=(1, 2)), ["opperf", name])
    shell = shlex.join(words).replace("docker run", "printf '%s\\0' docker run", 1)
    ran = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True)  # noqa: S607 - any shell
    assert ran.stdout.split("\0")[:-1] == words
    (row,) = csv.reader([words[words.index("--mount") + 1]])
    assert row == ["type=bind", f"source={folder}", f"target={folder}"]
    assert words[-5:] == ["--workdir", str(folder), "a:1", "opperf", name]


def test_folders_are_seen_where_they_are(tmp_path: Path) -> None:
    """Each once, the outermost only; of a file that is not there yet, the folder that is."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert outermost([tmp_path / "a" / "b", tmp_path / "c", tmp_path / "a", tmp_path / "c"]) == [
        tmp_path / "c",
        tmp_path / "a",
    ]
    assert folder_of(str(tmp_path / "a" / "x" / "y.json")) == tmp_path / "a"
    assert folder_of(str(tmp_path / ("x" * 5000))) == tmp_path
    assert folder_of("postgresql://host/db") is None


@pytest.mark.parametrize("path", ["/", "/usr", "/usr/local/src", "/opt", "/opt/opperf/x", "/etc"])
def test_what_an_image_has_itself_is_not_hidden(path: str) -> None:
    """A folder of this machine over its own would leave it without its programs."""
    with pytest.raises(UsageError, match="an image has files of its own there"):
        mount(Path(path))


def test_a_folder_with_a_line_end_is_refused() -> None:
    """A row of CSV has one line."""
    with pytest.raises(UsageError, match="must be printable"):
        mount(Path("/srv/a\nb"))


def test_a_text_never_ends_its_own_reading() -> None:
    """A line that would end it is refused."""
    with pytest.raises(UsageError, match=END):
        with_input(["cat"], f"a\n{END}\nid")


TASK = """\
[train]
patterns = ['(\\d+)']
metrics = ['speed']
compute_method = ['average']
command_to_execute = python train.py --gpus 2
num_gpus = 2
"""


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the words of the docker command that is printed last."""
    assert main(words) == 0
    said = capsys.readouterr()
    assert said.err == ""
    first, *_, end, last = said.out.splitlines()
    assert first.endswith(f"<<'{END}' &&")
    assert end == END
    return shlex.split(last)


def test_a_task_is_done_in_a_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its GPUs and the same words; nothing runs, and no file is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks.cfg").write_text(TASK)
    (tmp_path / "runs there").mkdir()
    words = ["task", "train", "--config", "tasks.cfg", "--tag", "it's; id"]
    extra = ["--print-command", "--pip-spec", "torch==2.2.0", "--pip-spec=numpy==1.26.4"]
    found = printed([*words[:2], *extra, *words[2:]], capsys)
    assert found[-7:] == ["opperf", *words]
    assert found[:6] == ["docker", "run", "--rm", "--init", "--shm-size", "1g"]
    assert found[found.index("--gpus") + 1] == "2"
    assert found[found.index("--user") + 1] == f"{os.getuid()}:{os.getgid()}"
    assert found[found.index("--mount") + 1] == f"type=bind,source={tmp_path},target={tmp_path}"
    assert {path.name for path in tmp_path.iterdir()} == {"tasks.cfg", "runs there"}


def test_a_method_is_done_in_a_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It sees the folders of data, modules and outputs."""
    for name in ("here", "data", "modules", "out"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    data, modules, out = (str(tmp_path / name) for name in ("data", "modules", "out/later"))
    words = ["method", "a.B.c", "--data-dir", data, "--python-path", modules, "--output-dir", out]
    found = printed([*words, "--print-command", "--container-gpus", "all"], capsys)
    assert found[-len(words) :] == words
    assert found[found.index("--gpus") + 1] == "all"
    mounts = [found[at + 1] for at, word in enumerate(found) if word == "--mount"]
    names = [one.rpartition("/")[2] for one in mounts]
    assert sorted(names) == ["data", "here", "modules", "out"]


def test_what_a_method_fetches_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Repositories and data of this machine, and where data and results go; nothing is fetched."""
    for name in ("here", "repository", "one", "two", "files"):
        (tmp_path / name).mkdir()
    (tmp_path / "files" / "data.tar").touch()
    monkeypatch.chdir(tmp_path / "here")
    words = ["method", "a.B.c", f"--git-repos=file://{tmp_path}/repository;main;abc",
             "--python-path", f"{tmp_path}/one,{tmp_path}/two", "--data-downloads",
             f"file://{tmp_path}/files/data.tar;x;0", "--data-dir", f"{tmp_path}/one/new",
             "--output-url", "s3://bucket/results", "--print-command"]  # fmt: skip
    found = printed(words, capsys)
    mounts = [found[at + 1] for at, word in enumerate(found) if word == "--mount"]
    assert sorted(one.rpartition("/")[2] for one in mounts) == [
        "files", "here", "one", "repository", "two",
    ]  # fmt: skip
    assert not any((tmp_path / "here").iterdir())


def test_variables_of_opperf_are_named_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Docker takes their values from its own environment; what they name is seen."""
    (tmp_path / "here").mkdir()
    (tmp_path / "runs").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("OPPERF_RUNS_DIR", str(tmp_path / "runs"))
    monkeypatch.setenv("OPPERF_STORE", "postgresql://me:mine@host/db")
    found = printed(["method", "a.B.c", "--print-command"], capsys)
    named = [found[at + 1] for at, word in enumerate(found) if word == "--env"]
    assert {"OPPERF_RUNS_DIR", "OPPERF_STORE"} <= set(named)
    assert not any("mine" in word for word in found)
    assert f"type=bind,source={tmp_path / 'runs'},target={tmp_path / 'runs'}" in found


def test_words_of_the_container_are_not_of_the_command() -> None:
    """They are left out, in both spellings; what stands behind -- is the command's own."""
    given = ["--pip-spec", "a==1", "x", "--pip-spec=b==1", "--print-command", "--", "--pip-spec"]
    assert containers.inner("task", given) == ["task", "x", "--", "--pip-spec"]
    assert containers.inner("task", ["task", "x"]) == ["task", "x"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--pip-spec", "torch==2.2.0"], "--pip-spec is of a container: give --print-command"),
        (["--container-gpus", "2"], "--container-gpus is of a container"),
        (["--print-command", "--container-gpus", "two"], "must be a number, or all"),
        (["--print-command", "--pip-spec", "torch"], "give NAME==VERSION"),
        (["--print-command", "--output-dir", "/usr/x"], "an image has files of its own there"),
    ],
)
def test_a_wrong_container_is_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing is looked up or run."""
    assert main(["method", "a.B.c", *words]) == 2
    said = capsys.readouterr()
    (line,) = told(said.err)
    assert reason in line
    assert said.out == ""
