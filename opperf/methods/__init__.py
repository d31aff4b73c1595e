"""Benchmark classes: methods that measure something themselves, and report it when they are done.

The class to derive from is `opperf.methods.benchmark.Benchmark`; classes that derive from
`tf.test.Benchmark`, or from another one with a `report_benchmark`, do as they are.
"""
