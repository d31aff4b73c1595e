"""From a case to a workload: an operator on a framework's tensors, ready to be timed."""
