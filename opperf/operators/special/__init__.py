"""Special functions: error, gamma and Bessel functions, normal quantiles and entropies."""
