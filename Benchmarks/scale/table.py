"""A table of what was measured."""

import statistics


class Table:
    """What took how long; the first time stands for itself, since nothing is in memory then.

    Beside it stands how much of the processor the server took for each: that does not move with what else the machine
    does.
    """

    def __init__(self, server, rounds):
        self.server, self.rounds, self.slow = server, rounds, []

    def title(self, text):
        print(f"\n{text:<52}{'first':>9}{'median':>9}{'worst':>9}{'CPU':>9}  ms", flush=True)

    def measure(self, name, ask, limit=None):
        times = [ask()[0]]
        before = self.server.processor()
        for _ in range(self.rounds):
            seconds, answer = ask()
            times.append(seconds)
        work = (self.server.processor() - before) / self.rounds
        median = statistics.median(times[1:])
        mark = "  ABOVE" if limit and median > limit else ""
        if mark:
            self.slow.append(name)
        size = f"  {len(answer) / 1024:6.0f} KB" if isinstance(answer, str) else ""
        print(
            f"{name:<52}" + "".join(f"{t * 1000:9.1f}" for t in (times[0], median, max(times[1:]), work)) + size + mark,
            flush=True,
        )
