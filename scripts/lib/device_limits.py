"""Limits of devices, for checks whose devices all come from one address."""

# A limit so high that nothing reaches it.
UNLIMITED = {"burst": 1_000_000_000, "per_second": 1_000_000_000}


def unlimited(*names):
    """The limits of these names, as settings have them, without an end that anything reaches."""
    return dict.fromkeys(names, UNLIMITED)


def lifted(settings):
    """All limits of some settings, without an end that anything reaches; switches stay as they are."""
    limits = settings.get("device_limits", {})
    return {name: UNLIMITED if isinstance(limit, dict) else limit for name, limit in limits.items()}
