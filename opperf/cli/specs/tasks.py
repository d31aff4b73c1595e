"""From specifications to tasks: files fetched, one task a test, framework, device and threads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote_path
from opperf.specs.measuring.parts import SpecInput, SpecModel
from opperf.specs.measuring.task import spec_task
from opperf.specs.reporters.meta import Meta

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from opperf.cli.specs.flags import SpecWords
    from opperf.core.configuration.settings import Settings
    from opperf.specs.cache.model_cache import ModelCache
    from opperf.specs.format.expanded import Specification, SpecTest
    from opperf.specs.measuring.task import SpecTask
    from opperf.specs.platforms.platform import Platform, PlatformDevice

ABOUT_OPPERF = "run_individual"
"""An option of FAI-PEP's frameworks that SpecTest.operators stands for."""


@dataclass(frozen=True, kw_only=True)
class SpecSurroundings:
    """What all tests of a run have in common.

    Args:
        platform: as --platform names it.
        backend: of the framework; empty for its own.
        run_type: what reports call the run.
        command: how opperf was called.
        time: of the run, in seconds since 1970.
        words: what flags say in JSON.

    """

    platform: str
    backend: str
    run_type: str
    command: str
    time: float
    words: SpecWords

    def meta(
        self, spec: Specification, test: SpecTest, framework: str, device: PlatformDevice
    ) -> Meta:
        """Return what is reported of a test."""
        words = self.words
        return Meta(
            platform=self.platform, framework=framework, net=spec.model.name, metric=test.metric,
            identifier=test.identifier, time=self.time, commit=words.treatment.commit,
            commit_time=words.treatment.commit_time, control_commit=words.control.commit,
            control_commit_time=words.control.commit_time, run_type=self.run_type,
            device=device.identifier, device_hash=device.hash, backend=self.backend,
            command=self.command, info=words.info, regressed_types=words.regressed,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SpecRequest:
    """A specification, and the frameworks that run it."""

    spec: Specification
    frameworks: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TaskMaker:
    """Makes tasks of tests whose files the cache has placed.

    Where golden outputs are to be made (`saving`), nobody looks for those that are named.
    """

    cache: ModelCache
    surroundings: SpecSurroundings
    platform: Platform
    devices: Sequence[PlatformDevice]
    settings: Sequence[Settings]
    trust: bool = False
    check_only: bool = False
    saving: bool = False

    def tasks(self, requests: Sequence[SpecRequest]) -> list[tuple[SpecTask, Meta]]:
        """Return the tasks of all tests, model by model, each with what is reported of it."""
        return [pair for request in requests for pair in self.of(request)]

    def of(self, request: SpecRequest) -> Iterator[tuple[SpecTask, Meta]]:
        """Yield the tasks of one specification."""
        spec = request.spec
        files, digests = self.place_model(spec)
        for test in spec.tests:
            tensors = self.tensors(test)
            golden = self.golden(test)
            for framework in request.frameworks:
                model = SpecModel(
                    name=spec.model.name, format=spec.model.format, files=files, digests=digests,
                    options=self.options(spec, test, framework), trust=self.trust,
                )  # fmt: skip
                for device in self.devices:
                    meta = self.surroundings.meta(spec, test, framework, device)
                    for settings in self.settings:
                        task = spec_task(
                            model, tensors, identifier=test.identifier, framework=framework,
                            settings=own_settings(settings, test),
                            device=self.platform.framework_device(device), metric=test.metric,
                            golden=golden, rtol=test.rtol, atol=test.atol, profile=test.operators,
                            batch=test.batch, timeout=test.timeout,
                            check_only=self.check_only,
                            meta=record_meta(spec, test, meta),
                        )  # fmt: skip
                        yield task, meta

    def place_model(self, spec: Specification) -> tuple[dict[str, str], dict[str, str]]:
        """Return the paths of a model's files, and their hashes."""
        if spec.model.data_downloads:
            data = self.cache.place_downloads(spec.model.data_downloads)
            self.cache.tell(f"{spec.model.place}.data_downloads: in {quote_path(data.folder)}")
        if not spec.model.files:
            return {}, {}
        found = self.cache.place(spec.model.files)
        return texts(found.files), {role: each["sha256"] for role, each in found.hashes.items()}

    def golden(self, test: SpecTest) -> dict[str, str]:
        """Return a test's golden outputs, their files placed."""
        if self.saving:
            return {name: each.location for name, each in test.golden.items()}
        return texts(self.cache.place(test.golden).files) if test.golden else {}

    def tensors(self, test: SpecTest) -> list[SpecInput]:
        """Return a test's inputs, their files placed."""
        if not test.inputs:
            raise UsageError(
                f"{test.place}.inputs: is missing; command lines are of a program, for a platform "
                "such as adb"
            )
        files = {each.name: each.file for each in test.inputs if each.file is not None}
        paths = texts(self.cache.place(files).files) if files else {}
        return [
            SpecInput(
                name=each.name, shape=each.shape, dtype=each.dtype, file=paths.get(each.name),
                below=each.below,
            )
            for each in test.inputs
        ]  # fmt: skip

    def options(self, spec: Specification, test: SpecTest, framework: str) -> dict[str, Any]:
        """Return the loader's options: the model's, then the test's of this framework."""
        own = {
            name: value
            for name, value in test.commands.get(framework, {}).items()
            if name != ABOUT_OPPERF
        }
        factory = {"factory": spec.model.factory} if spec.model.factory else {}
        backend = {"backend": self.surroundings.backend} if self.surroundings.backend else {}
        return {**spec.model.options, **factory, **own, **backend}


def record_meta(spec: Specification, test: SpecTest, meta: Meta) -> dict[str, Any]:
    """Return the meta of a test's records: the specification's, and what reports say of it."""
    return {**test.meta, "specification": str(spec.path), **meta.to_dict()}


def own_settings(settings: Settings, test: SpecTest) -> Settings:
    """Return how a test is timed, where it says something of that."""
    return replace(
        settings,
        runs=settings.runs if test.iterations is None else test.iterations,
        warmup=settings.warmup if test.warmup is None else test.warmup,
    )


def texts(paths: Mapping[str, Path]) -> dict[str, str]:
    """Return paths as text."""
    return {name: str(path) for name, path in paths.items()}
