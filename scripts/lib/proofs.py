"""Sentences about a server, each with a function that proves it; a script runs them one after the other."""

import sys

# The sentences and their functions, in the order in which they stand in the script.
checks = []


def check(sentence):
    """Registers a check, which its function proves."""

    def register(function):
        checks.append((sentence, function))
        return function

    return register


def prove(run):
    """Has `run` call each function, also after one that fails, and returns how many sentences held."""
    held = 0
    for sentence, function in checks:
        try:
            run(function)
            held += 1
            print(f"ok  {sentence}", flush=True)
        except Exception as error:  # One that fails keeps none of the others.
            print(f"!!  {sentence}\n    {type(error).__name__}: {error}", flush=True)
    return held


def finish(subject, held):
    """Says how many sentences held, and ends the process: with 0 where each did."""
    print(f"{held} of {len(checks)} checks of {subject} held.")
    sys.exit(held != len(checks))
