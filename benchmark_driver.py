"""Measure every operator: ``python benchmark_driver.py`` is ``opperf run``, with the same verbs."""

import sys

from opperf.__main__ import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], default_verb="run"))
