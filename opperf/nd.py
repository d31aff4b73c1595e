"""Every operator and every suite by name: ``from opperf.nd import Add``."""

from opperf.running.namespace import Namespace

NAMES = Namespace()
__getattr__, __dir__ = NAMES.find, NAMES.names
