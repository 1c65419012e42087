"""Claims that a check makes one after the other: each is printed with whether it holds, and the script goes on."""

import sys

_held = []


def check(claim, holds, detail=""):
    """Notes and prints whether a claim holds, with a detail where it doesn't."""
    _held.append(bool(holds))
    print(f"{'ok ' if holds else '!! '} {claim}{'' if holds else f' {detail}'}", flush=True)


def finish(subject):
    """Says how many claims held, and ends the process: with 0 where each did."""
    print(f"{sum(_held)} of {len(_held)} checks of {subject} held.")
    sys.exit(not all(_held))
