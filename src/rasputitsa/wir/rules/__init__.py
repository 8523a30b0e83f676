"""What may be done, a package per phase of the week."""
