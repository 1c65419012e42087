"""Attacks on a running server; see scripts/check-security."""
