"""PyTorch's callables for the operators of optimizer, and their limitations."""

from __future__ import annotations

from functools import partial

from opperf.core.frameworks.implementation import Fusable, built, in_turn
from opperf.core.frameworks.limitation import Limitation
from opperf.operators.optimizer import adaptive, multi, optimizer, step
from opperf.pytorch_benchmarks.binding.optimizer import (
    adadelta_update,
    adagrad_update,
    adam_like,
    adam_update,
    adamw_update,
    centered_rmsprop_update,
    lamb_phase2,
    nadam_update,
    nag_update,
    rmsprop_update,
    rprop_update,
    sgd_momentum_update,
    sgd_update,
    signsgd_update,
    signum_update,
)
from opperf.pytorch_benchmarks.binding.optimizer_multi import multi_sgd_update, preloaded_sgd_update

HALF_UNCHANGED = Limitation(
    dtypes=("float16", "bfloat16"),
    words="output 0 is",
    note="fused SGD leaves half precision weights unchanged (pytorch issue 191763)",
)

TABLE = {
    adaptive.AdamWUpdate: built("torch.optim.adamw.adamw + torch.full", adamw_update),
    adaptive.AdagradUpdate: built("torch.optim.adagrad.adagrad + torch.full", adagrad_update),
    adaptive.AdadeltaUpdate: built("torch.optim.adadelta.adadelta + torch.full", adadelta_update),
    adaptive.CenteredRMSPropUpdate: built(
        "torch.Tensor.mul_ + torch.Tensor.addcmul_ + torch.Tensor.lerp_ + torch.addcmul"
        " + torch.Tensor.sqrt_ + torch.Tensor.addcdiv_",
        centered_rmsprop_update,
    ),
    adaptive.AdamaxUpdate: built(
        "torch.optim.adamax.adamax + torch.full", partial(adam_like, further={})
    ),
    adaptive.NAdamUpdate: built("torch.optim.nadam.nadam + torch.full", nadam_update),
    adaptive.RAdamUpdate: built(
        "torch.optim.radam.radam + torch.full", partial(adam_like, further={})
    ),
    multi.MultiSGDUpdate: Fusable(
        fused=built("torch._fused_sgd_ + torch._foreach_add_", multi_sgd_update),
        unfused=built("torch.Tensor.sub_", in_turn(sgd_update, 2)),
    ),
    multi.MultiSGDMomentumUpdate: Fusable(
        fused=built("torch.optim.sgd.sgd", sgd_momentum_update),
        unfused=built("torch.optim.sgd.sgd", in_turn(sgd_momentum_update, 3)),
    ).limited(
        HALF_UNCHANGED,
    ),
    multi.MultiAdamWUpdate: Fusable(
        fused=built("torch.optim.adamw.adamw + torch.full", adamw_update),
        unfused=built("torch.optim.adamw.adamw + torch.full", in_turn(adamw_update, 4, names=2)),
    ),
    multi.PreloadedMultiSGDUpdate: built(
        "torch._fused_sgd_ + torch.optim.sgd.sgd + torch.full", preloaded_sgd_update
    ),
    optimizer.SGDUpdate: built("torch.Tensor.sub_", sgd_update),
    optimizer.SGDMomentumUpdate: built("torch.optim.sgd.sgd", sgd_momentum_update).limited(
        HALF_UNCHANGED,
    ),
    optimizer.AdamUpdate: built("torch.optim.adam.adam + torch.full", adam_update),
    optimizer.RMSPropUpdate: built(
        "torch.Tensor.mul_ + torch.Tensor.addcmul_ + torch.add + torch.Tensor.sqrt_"
        " + torch.Tensor.addcdiv_",
        rmsprop_update,
    ),
    step.NAGUpdate: built("torch.optim.sgd.sgd", nag_update),
    step.SignSGDUpdate: built("torch.Tensor.add_ + torch.sign", signsgd_update),
    step.SignumUpdate: built("torch.Tensor.lerp_ + torch.sign + torch.Tensor.add_", signum_update),
    step.RpropUpdate: built("torch.optim.rprop.rprop + torch.full", rprop_update),
    step.LAMBPhase2: built("torch.div + torch.Tensor.addcmul_", lamb_phase2),
}
