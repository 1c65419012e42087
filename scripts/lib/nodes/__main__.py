"""Runs the checks of whole servers, and says how many held."""

import argparse
import sys
import traceback

from . import draining, launches, shards


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("placard")
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    checks = draining.CHECKS + launches.CHECKS + shards.CHECKS
    if options.long:
        from . import faults, splits

        checks += faults.CHECKS + splits.CHECKS
    failed = 0
    for check in checks:
        try:
            check(options.placard)
            print(f"ok  {check.__doc__}", flush=True)
        except Exception:
            failed += 1
            print(f"!!  {check.__doc__}", flush=True)
            traceback.print_exc()
    print(f"{len(checks) - failed} of {len(checks)} checks of nodes held")
    sys.exit(1 if failed else 0)


main()
