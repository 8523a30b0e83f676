"""Classes: boards side by side for a teacher and pupils."""
