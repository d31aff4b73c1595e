"""Arms from texts: what a word stands for, and what is refused."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opperf.comparing.arms.arm import parse_arm, project_of
from opperf.comparing.arms.venv import companions
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_dot_is_this_python() -> None:
    """Nothing is installed for it."""
    arm = parse_arm(".")
    assert (arm.python, arm.requirements, dict(arm.variables)) == (sys.executable, (), {})


def test_settings_stand_alone_or_beside_a_requirement() -> None:
    """Several in one text; a value may hold what a shell would take apart."""
    arm = parse_arm("torch==2.13.0 OMP_NUM_THREADS=1 MKL_CBWR='AVX2, STRICT'")
    assert arm.requirements == ("torch==2.13.0",)
    assert arm.variables == {"OMP_NUM_THREADS": "1", "MKL_CBWR": "AVX2, STRICT"}


@pytest.mark.parametrize(
    "text", ["mxnet", "mxnet==1.8.0.post0", "torch>=2,<3", "opperf[mxnet]==0.1", "numpy~=1.26"]
)
def test_requirements_are_taken_as_pip_takes_them(text: str) -> None:
    """Names, extras and version bounds."""
    assert parse_arm(text).requirements == (text,)


def test_a_path_that_can_be_executed_is_an_interpreter() -> None:
    """It is asked for its version, so it must be one."""
    assert parse_arm(sys.executable).python == sys.executable


def test_a_source_tree_is_installed(tmp_path: Path) -> None:
    """By its absolute path; a folder without a build file is none."""
    with pytest.raises(UsageError, match=r"holds no pyproject\.toml and no setup\.py"):
        parse_arm(f"{tmp_path}/")
    (tmp_path / "pyproject.toml").touch()
    assert parse_arm(f"{tmp_path}/").requirements == (str(tmp_path),)


def test_a_wheel_is_installed(tmp_path: Path) -> None:
    """Where it exists."""
    wheel = tmp_path / "x-1-py3-none-any.whl"
    with pytest.raises(UsageError, match="there is no"):
        parse_arm(str(wheel))
    wheel.touch()
    assert parse_arm(str(wheel)).requirements == (str(wheel),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("torch==1 torch;evil", "'torch;evil' is none of"),
        ("--index-url=http://x", "is none of"),
        ("-r requirements.txt", "'-r' is none of"),
        ("torch@http://x/y.whl", "there is no"),
        ("git+https://x/y", "there is no"),
        ("AWS_SECRET_KEY=1", "looks like a secret"),
        (f"{sys.executable} .", "names 2 interpreters"),
        ("'", "No closing quotation"),
    ],
)
def test_anything_else_is_refused_in_one_line(text: str, said: str) -> None:
    """No option reaches the installer, and nothing is fetched from an address."""
    with pytest.raises(UsageError, match=said) as caught:
        parse_arm(text)
    assert "\n" not in str(caught.value)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_an_arm_or_a_usage_error(text: str) -> None:
    """Never another exception, and never a word that an installer takes for an option."""
    try:
        arm = parse_arm(text)
    except UsageError:
        return
    assert not any(word.startswith("-") for word in arm.requirements)


@pytest.mark.parametrize(
    ("requirements", "wanted"),
    [
        (["mxnet==1.8.0.post0"], ["numpy==1.23.5"]),
        (["mxnet==1.9.1"], ["numpy>=1.23.5,<2"]),
        (["mxnet"], ["numpy==1.23.5"]),
        (["torch==2.1.0"], ["numpy>=1.23.5,<2"]),
        (["torch==2.13.0"], ["numpy>=1.23.5"]),
        (["mxnet==1.8.0.post0", "numpy==1.22"], []),
        (["/some/tree"], ["numpy>=1.23.5"]),
    ],
)
def test_companions_are_those_a_framework_was_built_for(
    requirements: list[str], wanted: list[str]
) -> None:
    """Unless NumPy is named."""
    assert companions(requirements) == wanted


def test_a_project_is_what_comes_before_its_version() -> None:
    """In the spelling that registries compare."""
    assert project_of("MXNet_cu112==1.9") == "mxnet-cu112"
    assert project_of("/a/path") is None
