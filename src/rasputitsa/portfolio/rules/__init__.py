"""What may be done, a package per part of the rulebook."""
