"""MXNet's operators on boxes."""

from opperf.core.implementation import native
from opperf.operators import detection

DEVIATIONS = {f"std{at}": value for at, value in enumerate(detection.DEVIATIONS)}
TABLE = {
    detection.BoxIOU: native("mxnet.nd.contrib.box_iou", format="corner"),
    detection.BoxDecode: native("mxnet.nd.contrib.box_decode", format="corner", **DEVIATIONS),
    detection.BipartiteMatching: native("mxnet.nd.contrib.bipartite_matching", threshold=1e-12),
    detection.BoxNMS: native(
        "mxnet.nd.contrib.box_nms", overlap_thresh=detection.THRESHOLD, id_index=0
    ),
    detection.MultiBoxPrior: native(
        "mxnet.nd.contrib.MultiBoxPrior", sizes=detection.SCALES, ratios=detection.RATIOS
    ),
}
