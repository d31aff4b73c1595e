"""Tests that a framework's own program carries out on the devices of another platform."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from opperf.cli.common.exit_codes import INTERRUPTED
from opperf.cli.common.messages import say
from opperf.cli.running.conduct import exit_code
from opperf.cli.specs.output import SpecsOutput
from opperf.cli.specs.tasks import record_meta
from opperf.cli.tasks.watched import begin_run
from opperf.core.errors import UsageError
from opperf.reporting.subjects import Run
from opperf.specs.platforms.adb import AdbPlatform
from opperf.specs.platforms.program import ProgramRun
from opperf.specs.programs.record import ProgramTest, program_result, refuse_test
from opperf.storing import Journal
from opperf.storing.manifest import SPEC_RUN

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.cli.specs.tasks import SpecSurroundings
    from opperf.core.results.result import Result
    from opperf.measuring.worker.handle import Limits
    from opperf.specs.cache.model_cache import ModelCache
    from opperf.specs.format.expanded import Specification, SpecTest
    from opperf.specs.platforms.platform import Platform, PlatformDevice
    from opperf.specs.reporters.meta import Meta


@dataclass(frozen=True, kw_only=True)
class ProgramTask:
    """A test, the device it runs on, what is called there, and what is reported of it."""

    test: ProgramTest
    device: PlatformDevice
    run: ProgramRun
    meta: Meta


@dataclass(frozen=True, kw_only=True)
class ProgramMaker:
    """Makes the tasks of a program: every test on every device."""

    program: Path
    libraries: tuple[Path, ...]
    framework: str | None
    timeout: float
    cache: ModelCache
    surroundings: SpecSurroundings
    devices: Sequence[PlatformDevice]

    def tasks(self, specs: Sequence[Specification]) -> list[ProgramTask]:
        """Return the tasks of all tests, their files placed."""
        for spec in specs:
            for test in spec.tests:
                refuse_test(test, placeholders(spec, test))
        return [*chain.from_iterable(map(self.of, specs))]

    def of(self, spec: Specification) -> Iterator[ProgramTask]:
        """Yield the tasks of one specification."""
        model = self.cache.place(spec.model.files) if spec.model.files else None
        files = {f"files.{role}": path for role, path in model.files.items()} if model else {}
        digests = {role: each["sha256"] for role, each in model.hashes.items()} if model else {}
        named = {str(number): file for number, file in enumerate(spec.model.libraries)}
        libraries = tuple(self.cache.place(named).files.values()) if named else ()
        framework = self.framework or spec.model.framework or spec.model.format
        for test in spec.tests:
            given = {each.name: each.file for each in test.inputs if each.file is not None}
            placed = self.cache.place(given).files if given else {}
            run = ProgramRun(
                program=self.program,
                lines=test.command_lines,
                files={**files, **{f"input_files.{name}": path for name, path in placed.items()}},
                libraries=(*self.libraries, *libraries),
                options=test.platform_args,
                timeout=test.timeout or self.timeout,
            )
            for device in self.devices:
                meta = self.surroundings.meta(spec, test, framework, device)
                program = ProgramTest(
                    model=spec.model, test=test, framework=framework, digests=digests,
                    meta=record_meta(spec, test, meta),
                )  # fmt: skip
                yield ProgramTask(test=program, device=device, run=run, meta=meta)


def placeholders(spec: Specification, test: SpecTest) -> list[str]:
    """Return what stands for files in command lines."""
    inputs = (f"input_files.{each.name}" for each in test.inputs if each.file is not None)
    return [*(f"files.{role}" for role in spec.model.files), *inputs]


def program_of(arguments: Namespace) -> Path:
    """Return the executable that is copied to devices.

    Raises:
        UsageError: none is named, it is not there, or nobody has said that its lines may run.
    """
    if arguments.program is None:
        raise UsageError(
            f"--platform {arguments.platform}: needs --program, the executable that runs there"
        )
    path = Path(arguments.program)
    if not path.is_file():
        raise UsageError(f"--program {path}: no such file")
    if not arguments.trust_model:
        raise UsageError(
            f"--platform {arguments.platform}: the specification's command lines run in the "
            "device's shell; --trust-model lets them"
        )
    return path


def refuse_flags(arguments: Namespace) -> None:
    """Refuse flags of a framework's own process, which a program on a device would not obey.

    Raises:
        UsageError: one is given.
    """
    given = {
        "--check-only": arguments.check_only,
        "--save-outputs": arguments.save_outputs is not None,
        "--env": arguments.env,
    }
    for flag in (flag for flag, value in given.items() if value):
        raise UsageError(f"{flag}: has no effect on --platform {arguments.platform}; leave it out")


def platform_for(platform: Platform, arguments: Namespace) -> Platform:
    """Return the platform, with the folder of the device that --android_dir names."""
    if arguments.android_dir and isinstance(platform, AdbPlatform):
        return replace(platform, folder=f"{arguments.android_dir.rstrip('/')}/opperf")
    return platform


def run_programs(
    tasks: Sequence[ProgramTask], platform: Platform, arguments: Namespace, limits: Limits
) -> tuple[list[Result], int]:
    """Carry tests out one after the other, keep and show their records."""
    manifest: Mapping[str, object] = {
        "variables": {}, "packages": {}, "limits": asdict(limits),
        "sessions": arguments.sessions, "python": "", "tasks": [],
    }  # fmt: skip
    run = begin_run("spec", SPEC_RUN, arguments, manifest)
    results: list[Result] = []
    interrupted = False
    with Journal(run.directory.results_path) as journal:
        try:
            for session, task in product(range(arguments.sessions), tasks):
                found = program_result(task.test, platform, task.device, task.run, run.labels)
                results.append(structs.replace(found, session=session))
                journal.append(results[-1:])
        except KeyboardInterrupt:
            interrupted = True
    SpecsOutput.of(arguments).show(Run(name=run.directory.label, results=results))
    if not arguments.quiet:
        say(f"results: {run.directory.results_path}")
    run.keep(quiet=arguments.quiet)
    if interrupted:
        say(f"interrupted; nothing to resume: a program's tests begin anew: {run.labels.command}")
        return results, INTERRUPTED
    return results, exit_code(results)
