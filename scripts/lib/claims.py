"""Claims that a check makes one after the other: each is printed with whether it holds, and the script goes on."""

import sys


class Claims:
    """Claims of one subject, counted."""

    def __init__(self, shows_held=True):
        self.shows_held, self.held, self.left_out = shows_held, [], []

    def __call__(self, claim, holds, detail=""):
        """Notes and prints whether a claim holds, with a detail where it doesn't."""
        self.held.append(bool(holds))
        if not holds:
            print(f"!!  {claim} {detail}", flush=True)
        elif self.shows_held:
            print(f"ok  {claim}", flush=True)

    def leave_out(self, what):
        """Notes what this machine can't check, which is said with the result."""
        self.left_out.append(what)

    def finish(self, subject):
        """Says how many claims held, and ends the process: with 0 where each did."""
        left_out = "".join(f" Left out: {what}." for what in self.left_out)
        print(f"{sum(self.held)} of {len(self.held)} checks of {subject} held.{left_out}")
        sys.exit(not all(self.held))


check = Claims()
finish = check.finish
