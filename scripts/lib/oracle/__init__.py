"""What the documents say, computed a second time: the parts of scripts/check-oracle."""
