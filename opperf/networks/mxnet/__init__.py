"""The same networks in plain Gluon; importing this package does not import mxnet."""
