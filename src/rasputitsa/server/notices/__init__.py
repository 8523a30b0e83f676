"""Notifier people that it is their turn while they are away."""
