"""The end of a test of checks, which plants problems and compares what is found."""

import sys


def finish(cases):
    """Prints the cases in which something else was found than expected, and ends the process."""
    wrong = [(number, got, expected) for number, (got, expected) in enumerate(cases, 1) if got != expected]
    for number, got, expected in wrong:
        print(f"!! case {number}: got {got!r}, expected {expected!r}")
    sys.exit(1 if wrong else 0)
