"""Every operator and every suite, bound to this framework."""

from opperf.running.namespace import Namespace

NAMES = Namespace("mxnet")
__getattr__, __dir__ = NAMES.find, NAMES.names
