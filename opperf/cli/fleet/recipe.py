"""Print what starts a fleet: units of systemd, a manifest of Kubernetes, scripts for Slurm, ssh."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import leaving_early
from opperf.cli.common.options import refuse_half_characters

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.fleet.deployment.command import WorkerCommand

PURPOSES = {
    "kubernetes": "a scheduler, and a worker on each node that is labeled for it",
    "slurm": "a script for sbatch: a worker on a node of its own",
    "ssh": "a shell script that starts a worker on each host",
    "systemd-scheduler": "the unit of a scheduler",
    "systemd-slice": "the processors that belong to measuring",
    "systemd-worker": "the unit of a worker",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the recipes, and what is filled in."""
    recipes = parser.add_subparsers(
        dest="recipe", metavar="RECIPE", required=True, parser_class=type(parser)
    )
    for name, purpose in PURPOSES.items():
        recipe = recipes.add_parser(name, help=purpose, description=purpose, allow_abbrev=False)
        if name in {"slurm", "ssh"}:
            add_worker(recipe)
        if name == "slurm":
            recipe.add_argument("--partition", metavar="NAME", help="of Slurm")
            recipe.add_argument(
                "--walltime", metavar="TIME", default="1-00:00:00",
                help="until a node is given back (default: %(default)s)",
            )  # fmt: skip
            recipe.add_argument(
                "--sbatch-option", action="append", default=[], metavar="WORD",
                help="a further line of #SBATCH, as --sbatch-option=--constraint=epyc",
            )  # fmt: skip
        if name == "ssh":
            recipe.add_argument(
                "hosts", nargs="+", metavar="[USER@]HOST", help="where to start one"
            )


def add_worker(parser: ArgumentParser) -> None:
    """Add what a worker is started with."""
    parser.add_argument("--scheduler", required=True, metavar="URL", help="tls://HOST:PORT")
    parser.add_argument(
        "--certs", required=True, type=Path, metavar="DIR",
        help="the folder of its certificate on the host",
    )  # fmt: skip
    parser.add_argument(
        "--python", type=Path, metavar="PATH", default=Path(sys.executable),
        help="the Python with opperf on the host (default: as here)",
    )  # fmt: skip
    parser.add_argument("--tag", action="append", default=[], help="a label that jobs may ask for")


def execute(arguments: Namespace) -> int:
    """Print the recipe."""
    refuse_half_characters(arguments.given)
    text = recipe_of(arguments)
    with leaving_early():
        print(text, end="")
    return 0


def recipe_of(arguments: Namespace) -> str:
    """Return the recipe's text."""
    from opperf.fleet.deployment.recipes import FILES, recipe_text, ssh_script

    if arguments.recipe in FILES:
        return recipe_text(FILES[arguments.recipe])
    worker = worker_of(arguments)
    if arguments.recipe == "ssh":
        return ssh_script(worker, arguments.hosts)
    from opperf.fleet.deployment.slurm import slurm_script

    return slurm_script(
        worker,
        partition=arguments.partition,
        walltime=arguments.walltime,
        directives=arguments.sbatch_option,
    )


def worker_of(arguments: Namespace) -> WorkerCommand:
    """Return what a worker is started with."""
    from opperf.fleet.deployment.command import WorkerCommand

    return WorkerCommand(
        scheduler=arguments.scheduler, certs=arguments.certs, tags=tuple(arguments.tag),
        python=arguments.python,
    )  # fmt: skip
