"""What NumPy does wrongly."""

from opperf.core.frameworks.limitation import along_axis, rounded_sums
from opperf.operators.softmax import layouts

LIMITS = {layouts.SoftmaxChannels: (rounded_sums("float16", along_axis(1024), ("forward",)),)}
