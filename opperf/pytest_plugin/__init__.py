"""pytest's plugin: tests that measure by opperf's core, and compare with what was before."""
