"""The execution of plots: air strikes, combat, losses and retreats."""
