"""What other tools write, read as results; `opperf.reporting.foreign` writes for them."""
