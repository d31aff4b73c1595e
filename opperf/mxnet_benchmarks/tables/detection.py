"""MXNet's callables for the operators of detection, and their limitations."""

from __future__ import annotations

from typing import Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.detection import correlation
from opperf.operators.detection import anchors, detection, regions

DEVIATIONS: dict[str, Any] = {f"std{at}": value for at, value in enumerate(anchors.DEVIATIONS)}

TABLE = {
    # Gradients are returned as zeros, so that only forwards are measured.
    anchors.BoxDecode: native("mxnet.nd.contrib.box_decode", format="corner", **DEVIATIONS),
    anchors.MultiBoxPrior: native(
        "mxnet.nd.contrib.MultiBoxPrior",
        sizes=anchors.SCALES,
        ratios=anchors.RATIOS,
    ),
    detection.BoxIOU: native("mxnet.nd.contrib.box_iou", format="corner"),
    detection.BipartiteMatching: native("mxnet.nd.contrib.bipartite_matching", threshold=1e-12),
    detection.BoxNMS: native(
        "mxnet.nd.contrib.box_nms", overlap_thresh=detection.THRESHOLD, id_index=0
    ),
    regions.ROIPooling: native("mxnet.nd.ROIPooling", spatial_scale=1.0),
    regions.Correlation: built("mxnet.nd.Correlation", correlation),
}
