"""PyTorch's scans."""

from opperf.core.framework import native
from opperf.operators import scan

TABLE = {
    scan.CumSum: native("torch.cumsum", rename={"axis": "dim"}),
}
