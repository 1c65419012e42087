"""Runs the attacks; see scripts/check-security."""

import argparse
import concurrent.futures
import importlib
import json
import os
import subprocess
import sys
import tempfile

from . import document
from .suite import Run, summary
from .world import World

# In the order in which they run, in lanes of about the same length: each has a server of its own, and waits at other
# times.
LANES = [
    ["routes", "keys", "permissions", "forms", "csrf", "identity", "tokens", "headers", "http_parsing"],
    [
        "sessions",
        "sign_in",
        "second_factor",
        "temporary_passwords",
        "openid",
        "outbound",
        "markup",
        "numbers",
        "media",
        "amounts",
        "test_codes",
    ],
    ["bodies", "liquid", "patterns", "races", "disk", "audit", "strangers", "floods"],
]
TOPICS = [name for lane in LANES for name in lane]


def run_lane(options, names):
    """Runs topics against a world of their own, and returns what came of them."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        world = World(options.placard, folder)
        try:
            run = Run(world, options.verbose)
            for name in names:
                run.topic(importlib.import_module(f"security.topics.{name}").topic)
            run.finish()
        finally:
            world.stop()
    return run.results


def start_lane(options, names):
    """Runs a lane in a process of its own, passes its lines on, and returns what came of it."""
    with tempfile.NamedTemporaryFile() as file:
        flags = [flag for name in names for flag in ("--only", name)] + (["--verbose"] if options.verbose else [])
        command = [sys.executable, "-m", "security", options.placard, "--result", file.name, *flags]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in process.stdout:
            print(line, end="", flush=True)
        if process.wait() or not os.path.getsize(file.name):
            return {
                "held": 0,
                "failures": [["The suite", "A lane of attacks runs to its end", f"status {process.returncode}"]],
                "seconds": {},
            }
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(prog="scripts/check-security")
    parser.add_argument("placard", help="the command under attack")
    parser.add_argument("--only", action="append", choices=TOPICS, help="a topic; may be given several times")
    parser.add_argument("--verbose", action="store_true", help="print stack traces and the time of each topic")
    parser.add_argument("--result", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        results = run_lane(options, [name for name in TOPICS if name in options.only])
    else:
        with concurrent.futures.ThreadPoolExecutor(len(LANES)) as pool:
            lanes = list(pool.map(lambda names: start_lane(options, names), LANES))
        results = {
            "held": sum(lane["held"] for lane in lanes),
            "failures": [failure for lane in lanes for failure in lane["failures"]],
            "seconds": {name: seconds for lane in lanes for name, seconds in lane["seconds"].items()},
        }
        results["failures"] += [
            ["The document", "docs/security.md names proof that there is", problem]
            for problem in document.problems(TOPICS)
        ]
    if options.result:
        with open(options.result, "w") as file:
            json.dump(results, file)
        sys.exit(0)
    sys.exit(summary(results, options.verbose))


main()
