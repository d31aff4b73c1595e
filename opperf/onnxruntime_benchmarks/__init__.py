"""ONNX Runtime, a framework that opperf finds by its entry point, as it would find anybody's."""

from opperf.onnxruntime_benchmarks.framework import OnnxRuntime

FRAMEWORK = OnnxRuntime()
