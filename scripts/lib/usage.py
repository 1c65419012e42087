"""Answers --help with the documentation of a script, and refuses options that its usage doesn't name.

The usage is the paragraphs of the documentation that name the script. Scripts whose options are read by argparse need
nothing of this.
"""

import pathlib
import re
import sys


def options(text, name):
    """Returns the options that the usage of a script names."""
    usage = "\n\n".join(part for part in text.split("\n\n") if f"scripts/{name}" in part)
    return set(re.findall(r"--[a-z][a-z-]*", re.sub(r"`[^`]*`", "", usage)))


def answer(text):
    """Ends the process where the arguments ask for help or have an option that nobody knows."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(text.strip())
        sys.exit(0)
    known = options(text, pathlib.Path(sys.argv[0]).name)
    for argument in sys.argv[1:]:
        if argument.startswith("-") and argument.partition("=")[0] not in known:
            print(f"{sys.argv[0]}: unknown option {argument}\n\n{text.strip()}", file=sys.stderr)
            sys.exit(64)
