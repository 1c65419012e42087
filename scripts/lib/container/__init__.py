"""The server's container image, made of Debian's packages without a daemon."""
