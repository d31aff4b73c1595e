"""From a workload to samples, and what disturbed them."""
