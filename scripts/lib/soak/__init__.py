"""The soak check: what a server is like after it has lived with streams that come and go."""
