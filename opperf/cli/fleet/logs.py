"""logs a fleet."""


def add_arguments(parser):
    """."""


def execute(arguments):
    """."""
