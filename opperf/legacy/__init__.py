"""What users of the older package (dl-operator-benchmarks) bring along, in today's words."""
