"""A clean Debian that boots, for the check of the package."""
