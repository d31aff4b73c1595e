"""MXNet's operators on boxes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.detection import anchors as detection_anchors
from opperf.operators.detection import detection
from opperf.operators.detection import regions as detection_regions

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step

DEVIATIONS: dict[str, Any] = {
    f"std{at}": value for at, value in enumerate(detection_anchors.DEVIATIONS)
}


def correlation(call: Callable[..., Any], lhs: Any, rhs: Any, *, reach: int) -> Step:
    """Bind patches of one pixel."""
    options = {"kernel_size": 1, "max_displacement": reach, "pad_size": reach}
    return partial(call, lhs, rhs, stride1=1, stride2=1, is_multiply=True, **options)


TABLE = {
    detection_regions.ROIPooling: native("mxnet.nd.ROIPooling", spatial_scale=1.0),
    detection_regions.Correlation: built("mxnet.nd.Correlation", correlation),
    detection.BoxIOU: native("mxnet.nd.contrib.box_iou", format="corner"),
    detection_anchors.BoxDecode: native(
        "mxnet.nd.contrib.box_decode", format="corner", **DEVIATIONS
    ),
    detection.BipartiteMatching: native("mxnet.nd.contrib.bipartite_matching", threshold=1e-12),
    detection.BoxNMS: native(
        "mxnet.nd.contrib.box_nms", overlap_thresh=detection.THRESHOLD, id_index=0
    ),
    detection_anchors.MultiBoxPrior: native(
        "mxnet.nd.contrib.MultiBoxPrior",
        sizes=detection_anchors.SCALES,
        ratios=detection_anchors.RATIOS,
    ),
}
