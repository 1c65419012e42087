"""What makes modules hard to read, and is measured; see scripts/check-structure."""
