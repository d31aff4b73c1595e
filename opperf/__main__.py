"""``python -m opperf`` is ``opperf``."""

import sys

from opperf.cli import main

if __name__ == "__main__":
    sys.exit(main())
