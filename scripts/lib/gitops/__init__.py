"""What scripts/check-gitops is made of."""
