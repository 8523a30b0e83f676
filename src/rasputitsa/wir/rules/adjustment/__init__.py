"""The adjustment phase: groups, units, reinforcements and agreements."""
