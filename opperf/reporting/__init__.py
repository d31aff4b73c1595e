"""Reports: one function an output form; they read results and know no operator or framework."""
