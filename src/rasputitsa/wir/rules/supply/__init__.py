"""The supply phase: depots, supply and automatic orders."""
