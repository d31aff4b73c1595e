"""The list of verbs, which is shown without importing any of them."""

import subprocess
import sys

import pytest

from opperf.cli.parser import make_parser, overview


def test_the_overview_says_what_the_verbs_say() -> None:
    """Word for word."""
    assert overview().format_help() == make_parser().format_help()


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["nonsense"]])
def test_no_verb_is_imported_to_list_them(words: list[str]) -> None:
    """Nor NumPy, msgspec or anything else that takes its time."""
    program = "import sys; from opperf.cli.command import command\n"
    program += "try: command(sys.argv[1:], None)\nexcept SystemExit: pass\n"
    program += "print(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True
    )
    loaded = done.stderr.split()
    assert not {"numpy", "msgspec", "regex", "psutil", "rich", "opperf.cli.verbs.run"} & {*loaded}
