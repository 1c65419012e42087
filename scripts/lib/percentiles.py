"""Percentiles of what checks measure."""


def percentile(values, share):
    """Returns the value below which a share of the values lies."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]
