"""What every option is set to, and who said so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.configuration.options import OPTIONS, Value, resolve
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def configure(directory: Path, text: str, file: str = "opperf.toml") -> None:
    """Write a configuration file."""
    (directory / file).write_text(text, encoding="utf-8")


def test_without_any_setting_everything_is_default(tmp_path: Path) -> None:
    """Every option has a value, and says that nobody set it."""
    configuration = resolve({}, {}, tmp_path)
    assert {name: value.value for name, value in configuration.items()} == {
        "framework": None,
        "device": ("cpu",),
        "dtype": "float32",
        "size": ("typical",),
        "precision": 0.02,
        "budget": 0.5,
        "runs": None,
        "retry": "yes",
        "warmup": None,
        "timeout": 60.0,
        "compile_timeout": 600.0,
        "memory_limit": None,
        "threads": (1,),
        "cache": "hot",
        "process": "laid_out",
        "cores": None,
        "seed": 0,
        "runs_dir": "runs",
        "store": None,
    }
    assert {value.origin for value in configuration.values()} == {"default"}


def test_the_nearest_origin_wins(tmp_path: Path) -> None:
    """The command line, then the environment, then opperf.toml, then pyproject.toml."""
    cli: dict[str, object] = {"threads": 5}
    environ = {"OPPERF_THREADS": "4"}
    seen = []
    configure(tmp_path, "threads = 3")
    configure(tmp_path, "[tool.opperf]\nthreads = 2", "pyproject.toml")
    seen.append(resolve(cli, environ, tmp_path)["threads"])
    seen.append(resolve({"threads": None}, environ, tmp_path)["threads"])
    seen.append(resolve({}, {}, tmp_path)["threads"])
    (tmp_path / "opperf.toml").unlink()
    seen.append(resolve({}, {}, tmp_path)["threads"])
    assert seen == [
        Value((5,), "command line"),
        Value((4,), "OPPERF_THREADS"),
        Value((3,), "opperf.toml"),
        Value((2,), "pyproject.toml"),
    ]


def test_both_files_are_read(tmp_path: Path) -> None:
    """A key that only pyproject.toml has counts beside an opperf.toml."""
    configure(tmp_path, "threads = 3")
    configure(tmp_path, "[tool.opperf]\nseed = 2\n[tool.other]\nx = 1", "pyproject.toml")
    assert resolve({}, {}, tmp_path)["seed"] == Value(2, "pyproject.toml")


def test_opperf_toml_may_use_the_table_of_pyproject(tmp_path: Path) -> None:
    """[tool.opperf] means the same in either file."""
    configure(tmp_path, "[tool.opperf]\nthreads = 3")
    assert resolve({}, {}, tmp_path)["threads"] == Value((3,), "opperf.toml")


def test_the_top_level_of_pyproject_is_not_ours(tmp_path: Path) -> None:
    """Only [tool.opperf] is."""
    configure(tmp_path, "[project]\nname = 'x'\n", "pyproject.toml")
    assert resolve({}, {}, tmp_path)["threads"].origin == "default"


def test_an_empty_variable_sets_nothing(tmp_path: Path) -> None:
    """As continuous integration passes on what is not defined."""
    assert resolve({}, {"OPPERF_THREADS": ""}, tmp_path)["threads"].origin == "default"


def test_zero_is_a_setting(tmp_path: Path) -> None:
    """It is not taken for a missing one."""
    configure(tmp_path, "seed = 7")
    assert resolve({"seed": 0, "warmup": 0}, {}, tmp_path)["seed"] == Value(0, "command line")


def test_other_arguments_are_not_options(tmp_path: Path) -> None:
    """The command line may hand over all it has parsed."""
    assert "verb" not in resolve({"verb": "run"}, {}, tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("framework", "mxnet, pytorch,mxnet", ("mxnet", "pytorch")),
        ("size", "small,large", ("small", "large")),
        ("device", "cpu, cuda:0", ("cpu", "cuda:0")),
        ("precision", "0.5", 0.5),
        ("budget", "500ms", 0.5),
        ("timeout", "2m", 120.0),
        ("memory_limit", "512MiB", 2**29),
        ("runs", "1", 1),
        ("retry", " No", "no"),
        ("retry", "1", "yes"),
    ],
)
def test_text_is_read_by_the_option(tmp_path: Path, name: str, text: str, value: object) -> None:
    """As the command line and the environment give it; lists are separated by commas."""
    expected = Value(value, f"OPPERF_{name.upper()}")
    assert resolve({}, {expected.origin: text}, tmp_path)[name] == expected


def test_toml_types_are_read_by_the_option(tmp_path: Path) -> None:
    """Lists, numbers and text with units."""
    configure(
        tmp_path,
        "framework = ['mxnet', 'numpy']\nprecision = 1e-5\ntimeout = 90\nbudget = 0.5\n"
        "memory_limit = 4000000000\ncompile_timeout = '10m'\nretry = false\n",
    )
    configuration = resolve({}, {}, tmp_path)
    assert configuration["framework"].value == ("mxnet", "numpy")
    assert configuration["precision"].value == 1e-5
    assert configuration["timeout"].value == 90.0
    assert configuration["budget"].value == 0.5
    assert configuration["memory_limit"].value == 4_000_000_000
    assert configuration["compile_timeout"].value == 600.0
    assert configuration["retry"].value == "no"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("precision = 0", "expected a share above 0 and up to 50%, such as 0.5% or 0.005, not 0"),
        ("precision = nan", "expected a share above 0"),
        ("precision = 'high'", "not 'high'"),
        ("precision = true", "not True"),
        ("runs = 0", "expected an integer of at least 1, not 0"),
        ("runs = 2.5", "not 2.5"),
        ("warmup = -1", "expected an integer of at least 0, not -1"),
        ("threads = []", "expected an integer"),
        ("timeout = 0", "expected a time above 0"),
        ("budget = inf", "expected a time above 0"),
        ("memory_limit = '4 apples'", "such as 4GB"),
        ("framework = []", "expected a list of words"),
        ("framework = [1]", "expected a word, not 1"),
        ("framework = 'mxnet,,numpy'", "expected a word, not ''"),
        ("size = 3", "expected a list of words, not 3"),
        ("dtype = 32", "expected a word, not 32"),
        ("runs_dir = ''", "expected a word, not ''"),
        ('device = "cpu\\u001b[31m"', "expected a word"),
    ],
)
def test_a_bad_value_is_named_with_its_origin(tmp_path: Path, setting: str, message: str) -> None:
    """The option, where it was set, what is allowed, and the value."""
    configure(tmp_path, setting)
    option = setting.split(" ", maxsplit=1)[0]
    with pytest.raises(UsageError) as caught:
        resolve({}, {}, tmp_path)
    assert str(caught.value).startswith(f"{option} (opperf.toml): expected ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("file", "text"),
    [("opperf.toml", "presicion = 1"), ("pyproject.toml", "[tool.opperf]\npresicion = 1")],
)
def test_an_unknown_key_suggests_the_nearest(tmp_path: Path, file: str, text: str) -> None:
    """With the file and all keys."""
    configure(tmp_path, text, file)
    message = f"unknown key 'presicion' in {file}; did you mean 'precision'? allowed: budget, "
    with pytest.raises(UsageError) as caught:
        resolve({"precision": 0.1}, {}, tmp_path)
    assert str(caught.value).startswith(message)


def test_every_default_is_what_its_own_parser_makes_of_it() -> None:
    """So a default written into a file changes nothing."""
    for option in OPTIONS:
        if option.default is not None:
            assert option.parse(option.default) == option.default, option.name


def test_every_option_says_what_it_is_for() -> None:
    """In a line that a table of options has room for."""
    assert all(0 < len(option.help) <= 70 for option in OPTIONS)
