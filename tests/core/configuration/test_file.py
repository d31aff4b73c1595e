"""The table that a configuration file sets options in."""

from __future__ import annotations

from pathlib import Path

import pytest

from opperf.core.configuration.file import read_file
from opperf.core.errors import UsageError


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"seed = 1\nthreads 2\n", r"opperf\.toml: not valid TOML: .* line 2"),
        (b"seed = 1\nthreads = [", r"opperf\.toml: not valid TOML: .* line 2, the end"),
        (b"seed = 1\n\xff", r"opperf\.toml line 2: not UTF-8"),
        (b"x = " + b"[" * 10_000, r"opperf\.toml: "),
        (b"tool = 3", r"opperf\.toml: tool must be a table, not 3"),
        (b"[tool]\nopperf = []", r"opperf\.toml: opperf must be a table"),
        (b"#" * (2**20 + 1), r"opperf\.toml: it is larger than 1 MiB"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: bytes, message: str) -> None:
    """With the line, wherever one is to blame."""
    (tmp_path / "opperf.toml").write_bytes(text)
    with pytest.raises(UsageError, match=message):
        read_file(tmp_path / "opperf.toml")


def test_a_file_of_one_mebibyte_is_read(tmp_path: Path) -> None:
    """The limit is the largest size allowed."""
    (tmp_path / "opperf.toml").write_text("seed = 1\n".ljust(2**20, "\n"))
    assert read_file(tmp_path / "opperf.toml") == {"seed": 1}


def test_a_file_without_permission_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not taken for a missing one."""
    path = tmp_path / "opperf.toml"
    path.touch()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UsageError, match=r"cannot read .*opperf\.toml: Permission denied"):
        read_file(path)


def test_a_folder_by_that_name_is_no_file(tmp_path: Path) -> None:
    """It configures nothing."""
    (tmp_path / "opperf.toml").mkdir()
    assert read_file(tmp_path / "opperf.toml") == {}


def test_a_number_of_five_thousand_digits_ends_in_a_number_or_an_error(tmp_path: Path) -> None:
    """Whether Python reads it depends on its version."""
    path = tmp_path / "opperf.toml"
    path.write_text("seed = " + "9" * 5_000)
    try:
        assert isinstance(read_file(path)["seed"], int)
    except UsageError as error:
        assert "opperf.toml" in str(error)  # noqa: PT017 - either outcome is right
