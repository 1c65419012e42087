"""Medians, ratios and quantiles of what was measured."""

import statistics


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def in_a_line(found):
    """Ratios to nginx, for who waits for the end."""
    return (
        ", ".join(
            f"{name} {ratio:.2f}"
            for name, ratio in ((name, ratio_to_nginx(found, name)) for name in found["saturated"])
            if name != "nginx"
        )
        + " of nginx"
    )


def told_in_a_line(found):
    return f"p50 {told(found, 0.5):.0f} ms, p99 {told(found, 0.99):.0f} ms, {found['kilobytes']:.0f} KB each"


def ratio_to_nginx(found, name, unit=1):
    """The median over rounds of what a server reached, in what nginx reached in the same round."""
    pairs = zip(found["saturated"][name], found["saturated"]["nginx"])
    return statistics.median(one["rate"] * unit / nginx["rate"] for one, nginx in pairs)


def times(found, name, peer):
    """How many times what a peer reached a server did, the median over rounds."""
    pairs = zip(found["saturated"][name], found["saturated"][peer])
    return statistics.median(one["rate"] / other["rate"] for one, other in pairs)


def effort(runs):
    """Microseconds of processor time for an answer, PostgreSQL's with it."""
    return median(runs, "cpu") + median(runs, "database_cpu")


def by_effort(found, name, other):
    """How many times the processor time of a server another takes."""
    return effort(found["saturated"][other]) / max(effort(found["saturated"][name]), 0.1)


def median(runs, what):
    return statistics.median(run[what] for run in runs)


def told(found, share):
    """The median over launches of when a share of the streams had been told."""
    return statistics.median(round_["times"][round(share * 200)] for round_ in found["rounds"])
