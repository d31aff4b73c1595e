"""PyTorch's scans."""

from opperf.core.implementation import native
from opperf.operators import scan

TABLE = {
    scan.CumSum: native("torch.cumsum", rename={"axis": "dim"}),
}
