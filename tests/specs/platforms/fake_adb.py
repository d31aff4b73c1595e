"""A program in adb's place that writes down how it is called."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from opperf.specs.platforms.adb import AdbPlatform

if TYPE_CHECKING:
    from pathlib import Path

FAKE = """\
#!{python}
import json, sys, time
words = sys.argv[1:]
with open({log!r}, "a") as log:
    log.write(json.dumps(words) + "\\n")
if words[0] == "devices":
    print("List of devices attached")
    print("R58M123 device usb:1-1 product:beyond model:SM_G973F transport_id:1")
    print("emulator-5554 device product:sdk model:Pixel transport_id:2")
    print("OFF1 offline transport_id:3\\nNEW1 unauthorized usb:1-2\\n")
elif "--net" in words[-1]:
    if "hang" in words[-1]:
        time.sleep(60)
    for value in (12.5, 13, "12.75"):
        said = {{"type": "NET", "unit": "us", "metric": "latency", "value": value}}
        print("Observer " + json.dumps(said))
    print(json.dumps({{"type": "Conv", "unit": "ms", "value": 0.004}}))
    if "fail" in words[-1]:
        sys.exit("Segmentation fault")
"""


class FakeAdb:
    """A program in adb's place, and what it was called with."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "calls"
        program = folder / "adb"
        program.write_text(FAKE.format(python=sys.executable, log=str(self.log)))
        program.chmod(0o755)
        self.platform = AdbPlatform(str(program), "/data/local/tmp/o p")

    def calls(self) -> list[list[str]]:
        """Return the arguments of each call."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]
