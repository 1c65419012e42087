"""Time on a machine that does other work too: an attack is decided by what happens, by processor time and by controls
that run at the same moments, never by how long something took."""

import statistics
import time

# Seconds after which something that has not happened is taken to never happen, on the busiest machine.
LONG = 60
# The processor time of `work` on an idle machine of two cores, in seconds.
AT_REST = 0.007


class Broken(AssertionError):
    """What an attack achieved that it must not."""


def until(question, message, seconds=LONG):
    """Asks until the answer is true, and returns it."""
    end = time.monotonic() + seconds
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > end:
            raise Broken(message() if callable(message) else message)
        time.sleep(0.05)


def work():
    return sum(number * number % 7 for number in range(150_000))


def pace():
    """How many times slower than one at rest this machine is now, at least 1, by the processor time of the same
    work."""
    times = []
    for _ in range(5):
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return max(1.0, statistics.median(times) / AT_REST)


def in_turns(one, control, rounds=25):
    """Times two functions in turns, so that other work on the machine meets both, and returns the medians."""
    times = ([], [])
    for _ in range(rounds):
        for function, taken in zip((one, control), times):
            start = time.monotonic()
            function()
            taken.append(time.monotonic() - start)
    return tuple(statistics.median(taken) for taken in times)


def is_not_held_up(one, control, what, rounds=25):
    """Fails where something waits, though its control, which is done in turns with it, does not."""
    taken, usual = in_turns(one, control, rounds)
    if taken > 5 * usual + 0.25:
        raise Broken(f"{what} takes {taken * 1000:.0f} ms, and its control {usual * 1000:.0f} ms")
