"""``python -m opperf.mxnet_benchmarks.models`` is ``opperf model --framework mxnet``."""

from __future__ import annotations

import sys
from importlib import import_module


def main() -> int:
    """Carry the command out; nothing below the command line imports it."""
    words = ["model", "--framework", "mxnet", "--log-lines", *sys.argv[1:]]
    code: int = import_module("opperf.__main__").main(words)
    return code


if __name__ == "__main__":
    sys.exit(main())
