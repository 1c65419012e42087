"""What scripts/check-service is made of."""
