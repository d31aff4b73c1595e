"""MXNet's callables for the operators of optimizer, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import Fusable, built, in_turn, native
from opperf.core.frameworks.limitation import Limitation
from opperf.mxnet_benchmarks.binding.optimizer import (
    adadelta_update,
    adagrad_update,
    adamw_update,
    lamb_phase1,
    multi_adamw_update,
    multi_tensor,
    own_output,
    update,
)
from opperf.operators.optimizer import adaptive, mixed, multi, optimizer, step

TABLE = {
    adaptive.AdamWUpdate: built("mxnet.nd.contrib.adamw_update + mxnet.nd.ones", adamw_update),
    adaptive.AdagradUpdate: built("mxnet.nd.square + mxnet.nd.sqrt", adagrad_update),
    adaptive.AdadeltaUpdate: built("mxnet.nd.square + mxnet.nd.sqrt", adadelta_update),
    # CenteredRMSPropUpdate: attributes are float32, here and elsewhere.
    adaptive.CenteredRMSPropUpdate: own_output(
        "mxnet.nd.rmspropalex_update", {"rho": "gamma1", "momentum": "gamma2"}
    ),
    adaptive.FTMLUpdate: built("mxnet.nd.ftml_update", update),
    adaptive.FTRLUpdate: built("mxnet.nd.ftrl_update", update),
    mixed.MixedSGDUpdate: built("mxnet.nd.mp_sgd_update", update),
    mixed.MixedSGDMomentumUpdate: built("mxnet.nd.mp_sgd_mom_update", update),
    mixed.MixedNAGUpdate: built("mxnet.nd.mp_nag_mom_update", update),
    mixed.MultiMixedSGDUpdate: multi_tensor("mxnet.nd.multi_mp_sgd_update", 3),
    mixed.MultiMixedSGDMomentumUpdate: multi_tensor("mxnet.nd.multi_mp_sgd_mom_update", 4),
    mixed.PreloadedMultiMixedSGDUpdate: multi_tensor("mxnet.nd.preloaded_multi_mp_sgd_update", 3),
    mixed.PreloadedMultiMixedSGDMomentumUpdate: multi_tensor(
        "mxnet.nd.preloaded_multi_mp_sgd_mom_update", 4
    ),
    multi.MultiSGDUpdate: Fusable(
        fused=multi_tensor("mxnet.nd.multi_sgd_update", 2),
        unfused=built("mxnet.nd.sgd_update", in_turn(update, 2)),
    ),
    multi.MultiSGDMomentumUpdate: Fusable(
        fused=multi_tensor("mxnet.nd.multi_sgd_mom_update", 3),
        unfused=built("mxnet.nd.sgd_mom_update", in_turn(update, 3)),
    ),
    multi.MultiAdamWUpdate: Fusable(
        fused=built("mxnet.nd.contrib.multi_adamw_update + mxnet.nd.ones", multi_adamw_update),
        unfused=built(
            "mxnet.nd.contrib.adamw_update + mxnet.nd.ones", in_turn(adamw_update, 4, names=2)
        ),
    ).limited(
        Limitation(
            variant="fused",
            dtypes=("float64", "float16"),
            words="of the scale",
            note="it reads the scale of gradients as a float32, and finds another number",
        ),
    ),
    multi.PreloadedMultiSGDUpdate: multi_tensor("mxnet.nd.preloaded_multi_sgd_update", 2),
    multi.PreloadedMultiSGDMomentumUpdate: multi_tensor(
        "mxnet.nd.preloaded_multi_sgd_mom_update", 3
    ),
    optimizer.SGDUpdate: built("mxnet.nd.sgd_update", update),
    optimizer.SGDMomentumUpdate: built("mxnet.nd.sgd_mom_update", update),
    optimizer.AdamUpdate: built("mxnet.nd.adam_update", update),
    optimizer.RMSPropUpdate: own_output("mxnet.nd.rmsprop_update", {"rho": "gamma1"}),
    step.NAGUpdate: built("mxnet.nd.nag_mom_update", update),
    step.SignSGDUpdate: built("mxnet.nd.signsgd_update", update),
    step.SignumUpdate: built("mxnet.nd.signum_update", update),
    step.LAMBPhase1: built("mxnet.nd.lamb_update_phase1", lamb_phase1),
    step.LAMBPhase2: built("mxnet.nd.lamb_update_phase2", update),
    step.MultiLARS: native("mxnet.nd.multi_lars"),
}
