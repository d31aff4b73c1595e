"""A program: trains a network in two processes and in one, and saves what either learned.

Started by itself it launches itself twice more; these have a rank.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from opperf.networks.data.opening import open_data
from opperf.networks.data.place import ALONE, LoaderPlace
from opperf.networks.measuring.trainer import make_trainer
from opperf.networks.pytorch.distributed import TorchRanks, launch
from opperf.networks.registry import find_entry, make_model
from opperf.networks.request import ModelRequest

MORE = Path(__file__).parent / "more"
BATCH, STEPS = 2, 3


def learned(batch: int, ranks: TorchRanks | None = None) -> dict[str, Any]:
    """Return the gradients of the first step, and the parameters after the last."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    asked = ModelRequest(
        model="small", entry=find_entry("small", "pytorch", [MORE]), batch_size=batch
    )
    model = make_model(asked.entry)
    trainer = make_trainer(model, asked)
    place = ALONE
    if ranks is not None:
        ranks.share(trainer)
        place = LoaderPlace(ranks.rank, ranks.ranks)
    given = trainer.place(next(open_data(asked.data, model, batch, "pytorch", place)))
    found: dict[str, Any] = {}
    for step in range(STEPS):
        trainer.backward(trainer.forward(given))
        if step == 0:
            found |= {
                f"gradient {name}": np.array(each.grad) for name, each in model.named_parameters()
            }
        trainer.update()
    return found | {name: each.detach().numpy() for name, each in model.named_parameters()}


def main(folder: Path) -> None:
    """Save what is learned here."""
    if "RANK" in os.environ:
        ranks = TorchRanks("cpu")
        np.savez(folder / f"{ranks.rank}.npz", **learned(BATCH, ranks))
        ranks.leave()
        return
    assert not launch([__file__, str(folder)], 2)
    np.savez(folder / "alone.npz", **learned(2 * BATCH))
    np.savez(folder / "half.npz", **learned(BATCH))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
