"""Sentences about a server, each with a function that proves it; a script runs them one after the other."""

# The sentences and their functions, in the order in which they stand in the script.
checks = []


def check(sentence):
    """Registers a check, which its function proves."""

    def register(function):
        checks.append((sentence, function))
        return function

    return register
