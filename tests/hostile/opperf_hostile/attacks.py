"""What native code, a wrong descriptor or a careless library may do to its process."""

from __future__ import annotations

import ctypes
import gc
import locale
import mmap
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

ATTACKS: dict[str, Callable[[Any], Any]] = {}
CALLS: Counter[str] = Counter()
SLEEP = "import time; time.sleep(10000)"
SPIN = "while True: pass"
FLOOD = "while True: print('x' * 65536)"
HELD: list[object] = []
ALREADY_THERE = 61


def attack(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Count the calls of an attack, and have it return its tensor where it returns nothing."""
    name = function.__name__

    def called(data: Any) -> Any:
        CALLS[name] += 1
        found = function(data)
        return data if found is None else found

    called.__doc__ = function.__doc__
    ATTACKS[name] = called
    return called


def once(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make an attack in its first call only."""
    name = function.__name__

    def called(data: Any) -> Any:
        CALLS[name] += 1
        found = function(data) if CALLS[name] == 1 else None
        return data if found is None else found

    called.__doc__ = function.__doc__
    ATTACKS[name] = called
    return called


def innocent(data: Any) -> Any:
    """Return the tensor."""
    return data


def pipes() -> list[int]:
    """Return the pipes that this process has, but for the standard streams."""
    found = []
    for path in [*Path("/proc/self/fd").iterdir()]:
        number = int(path.name)
        try:
            if number > 2 and stat.S_ISFIFO(os.fstat(number).st_mode):
                found.append(number)
        except OSError:
            continue
    return found


def tell(data: bytes) -> None:
    """Write into every pipe that takes it."""
    for number in pipes():
        with suppress(OSError):
            os.write(number, data)


LINES = {
    "text": b"hello\n",
    "number": b"7\n",
    "listed": b"[1, 2]\n",
    "null": b"null\n",
    "nan": b'{"event": "done", "idle": NaN, "changed": []}\n',
    "deep": b"[" * 100_000 + b"\n",
    "early_done": b'{"event": "done", "idle": 0, "changed": []}\n',
    "done_with_a_token": b'0123456789abcdef {"event": "done", "idle": 0, "changed": []}\n',
    "old_done": b'{"event": "done"}\n',
    "refusal": b'0123456789abcdef {"event": "refused", "reason": "no"}\n',
    "announcement": b'0123456789abcdef {"event": "row", "row": 0, "compiles": true}\n',
    "others_result": b'0123456789abcdef {"event": "result", "row": 0, "result": {}}\n',
    "half_a_line": b'{"event": ',
    "empty_lines": b"\n\n\n",
    "bytes": bytes(range(256)),
    "digits": b"9" * 10_000 + b"\n",
    "surrogate": b'"\\ud800"\n',
}
for label, line in LINES.items():

    def says(_: Any, line: bytes = line) -> None:
        """Write into the pipe to the parent."""
        tell(line)

    says.__name__ = f"says_{label}"
    once(says)
    globals()[says.__name__] = ATTACKS[says.__name__]


@once
def says_without_end(_: Any) -> None:
    """Write 70 MB without the end of a line."""
    for _part in range(1100):
        tell(b"x" * 65536)


@once
def says_later(_: Any) -> None:
    """Write into the pipe when another operator's turn may have come."""
    threading.Timer(0.3, tell, [b"hello\n"]).start()


@attack
def forks_and_returns(_: Any) -> None:
    """Fork in every call, and return in both."""
    os.fork()


@once
def forks_in_c_and_returns(_: Any) -> None:
    """Fork past Python's own hooks, and return in both."""
    ctypes.PyDLL(None).fork()


@once
def forks_and_exits(_: Any) -> None:
    """Fork, and leave Python in the new process."""
    if os.fork() == 0:
        sys.exit(0)


@once
def forks_and_sleeps(_: Any) -> None:
    """Leave a process behind that has all of this one's descriptors."""
    if os.fork() == 0:
        time.sleep(10000)


@attack
def leaves_with_0(_: Any) -> NoReturn:
    """End the process as if all were well."""
    os._exit(0)


@attack
def leaves_with_3(_: Any) -> NoReturn:
    """End the process with a status of its own."""
    os._exit(3)


@attack
def exits(_: Any) -> NoReturn:
    """Ask Python to leave."""
    sys.exit(0)


@attack
def raises_ctrl_c(_: Any) -> NoReturn:
    """Raise what is no Exception."""
    raise KeyboardInterrupt


@attack
def raises_long_text(_: Any) -> NoReturn:
    """Raise an error that says 20 MB."""
    raise RuntimeError("x" * 20_000_000)


@attack
def raises_control_characters(_: Any) -> NoReturn:
    """Raise an error with what a terminal would obey, and half a character."""
    raise RuntimeError("\x1b]0;owned\x07 \x9b31m \udc80 \x00")


class Mute(Exception):  # noqa: N818 - it is what it says
    """An error that cannot be told."""

    def __str__(self) -> str:
        raise ValueError("no words")


@attack
def raises_what_cannot_be_told(_: Any) -> NoReturn:
    """Raise an error whose text raises."""
    raise Mute


@attack
def recurses(data: Any) -> Any:
    """Call itself without end."""
    return recurses(data)


@attack
def aborts(_: Any) -> NoReturn:
    """Die of SIGABRT."""
    os.abort()


@attack
def reads_nowhere(_: Any) -> None:
    """Die of SIGSEGV."""
    ctypes.string_at(0)


@attack
def kills_itself(_: Any) -> None:
    """Die of SIGKILL."""
    os.kill(os.getpid(), signal.SIGKILL)


@attack
def terminates_its_group(_: Any) -> None:
    """Die with all of its group."""
    os.killpg(0, signal.SIGTERM)


@attack
def stops_itself(_: Any) -> None:
    """Stand still."""
    os.kill(os.getpid(), signal.SIGSTOP)


@attack
def hangs_and_ignores(_: Any) -> None:
    """Never return, and hear no signal that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(10000)


@once
def closes_all(_: Any) -> None:
    """Close every descriptor but the standard streams."""
    os.closerange(3, 65536)


@once
def closes_streams(_: Any) -> None:
    """Close the standard streams."""
    os.closerange(0, 3)


@once
def takes_the_pipes_numbers(_: Any) -> None:
    """Put another file where the pipes are."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in pipes():
        os.dup2(null, number)


@once
def joins_the_pipes(_: Any) -> None:
    """Have what is printed go to the parent's pipes."""
    for number in pipes():
        os.dup2(number, 1)
    os.write(1, b"hello\n")


@once
def opens_all(_: Any) -> None:
    """Use up every descriptor."""
    try:
        while True:
            HELD.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        return


@attack
def prints_much(_: Any) -> None:
    """Print a megabyte in every call."""
    os.write(1, b"x" * 2**20)


@attack
def prints_for_ever(_: Any) -> None:
    """Print without end."""
    while True:
        os.write(2, b"x" * 2**20)


@once
def truncates_its_log(_: Any) -> None:
    """Do to its standard output what a log that is rotated suffers."""
    for act in (os.ftruncate, os.fchmod):
        with suppress(OSError):
            act(1, 0)


@once
def pins_itself(_: Any) -> None:
    """Move to another processor, where there is one."""
    os.sched_setaffinity(0, {min(range(os.cpu_count() or 1))})


@once
def is_nice(_: Any) -> None:
    """Give way to everybody else."""
    os.nice(19)


@once
def limits_its_memory(_: Any) -> None:
    """Leave no memory to whoever comes next."""
    resource.setrlimit(resource.RLIMIT_AS, (2**24, 2**24))


@once
def limits_its_files(_: Any) -> None:
    """Leave no descriptor to whoever comes next."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


@once
def limits_its_writes(_: Any) -> None:
    """Let no file grow."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@once
def limits_its_time(_: Any) -> None:
    """Let the process run for a second more."""
    resource.setrlimit(resource.RLIMIT_CPU, (1, 2))


@once
def sets_an_alarm(_: Any) -> None:
    """Be killed when another operator's turn may have come."""
    signal.setitimer(signal.ITIMER_REAL, 0.3)


@once
def handles_signals(_: Any) -> None:
    """Take signals that others rely on."""
    for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGSEGV, signal.SIGABRT):
        signal.signal(number, signal.SIG_IGN)


@once
def blocks_signals(_: Any) -> None:
    """Block all signals that can be."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


@once
def goes_elsewhere(_: Any) -> None:
    """Stand in a folder that is gone."""
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    Path(folder).rmdir()


@once
def masks_permissions(_: Any) -> None:
    """Make files that nobody may read."""
    os.umask(0o777)


@once
def changes_the_locale(_: Any) -> None:
    """Write numbers in another way, where the system can."""
    for name in ("de_DE.UTF-8", "C.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        return


@once
def clears_the_environment(_: Any) -> None:
    """Forget all variables."""
    os.environ.clear()


@once
def lowers_recursion(_: Any) -> None:
    """Leave few levels to whoever comes next."""
    sys.setrecursionlimit(60)


@once
def traces(_: Any) -> None:
    """Slow down all of Python."""
    sys.settrace(lambda *_: None)


@once
def stops_collecting(_: Any) -> None:
    """Change how garbage is collected."""
    gc.set_threshold(1, 1, 1)


@once
def rounds_up(_: Any) -> None:
    """Have the processor round all results up."""
    ctypes.CDLL("libm.so.6").fesetround(0x800)


@once
def raises_on_numpy(_: Any) -> None:
    """Have NumPy raise at each rounding to zero."""
    np.seterr(all="raise")


@once
def closes_python_s_streams(_: Any) -> None:
    """Leave Python without streams."""
    sys.stdout = sys.stderr = None


@once
def spins_in_a_thread(_: Any) -> None:
    """Leave a thread behind that takes the processor."""
    threading.Thread(target=exec, args=[SPIN], daemon=True).start()


@once
def leaves_later(_: Any) -> None:
    """End the process when another operator's turn may have come."""
    threading.Timer(0.3, os._exit, [0]).start()


@once
def leaves_a_grandchild(_: Any) -> None:
    """Leave a process in a session of its own, which holds every descriptor."""
    HELD.append(
        subprocess.Popen([sys.executable, "-c", SLEEP], close_fds=False, start_new_session=True)
    )


@once
def leaves_a_daemon(_: Any) -> None:
    """Leave a process that is no child of anybody here."""
    daemon = f"import os; os.setsid(); os.fork() and os._exit(0); {SLEEP}"
    subprocess.run([sys.executable, "-c", daemon], check=False)


@once
def leaves_one_that_spins(_: Any) -> None:
    """Leave a process that takes a processor."""
    HELD.append(subprocess.Popen([sys.executable, "-c", SPIN], start_new_session=True))


@once
def leaves_one_that_prints(_: Any) -> None:
    """Leave a process that prints without end."""
    HELD.append(subprocess.Popen([sys.executable, "-c", FLOOD], start_new_session=True))


@attack
def takes_private_memory(_: Any) -> None:
    """Allocate without end."""
    while True:
        HELD.append(np.ones(2**21))


@attack
def takes_shared_memory(_: Any) -> None:
    """Allocate without end what no limit of the system bounds."""
    while True:
        shared = mmap.mmap(-1, 2**26)
        shared.write(b"x" * 2**26)
        HELD.append(shared)


@attack
def takes_memory_in_others(_: Any) -> None:
    """Have other processes allocate what this one may not."""
    code = "import time; held = bytearray(b'x') * 2**27; time.sleep(10000)"
    command = [sys.executable, "-c", code]
    HELD.extend(subprocess.Popen(command, start_new_session=True) for _ in range(12))
    time.sleep(10000)


@once
def fills_a_file(_: Any) -> None:
    """Leave a large file in the folder for temporary files."""
    with Path(tempfile.gettempdir(), "opperf-hostile").open("wb") as file:
        file.write(b"x" * 2**24)


@attack
def turns_wrong(data: Any) -> Any:
    """Be right in 60 calls, and wrong from then on."""
    return data * 1.01 if CALLS["turns_wrong"] >= ALREADY_THERE else data


@attack
def is_wrong_in_turns(data: Any) -> Any:
    """Be wrong in every second call, but right in the first two, by which it is checked."""
    calls = CALLS["is_wrong_in_turns"]
    return data * 1.01 if calls > 2 and calls % 2 == 0 else data


@attack
def is_wrong(data: Any) -> Any:
    """Be wrong."""
    return data * 1.01


@attack
def is_nan(data: Any) -> Any:
    """Be no number."""
    return data * float("nan")


@attack
def is_nothing(_: Any) -> Any:
    """Return what is no tensor."""
    return 7


globals().update(ATTACKS)
