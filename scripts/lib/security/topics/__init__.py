"""The attacks by topic, in the order in which they run."""
