"""What Python and notebooks get of stored runs: `opperf.load`, `opperf.compare`."""
