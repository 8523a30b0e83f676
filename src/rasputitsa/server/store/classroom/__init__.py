"""Classes as they are kept."""
