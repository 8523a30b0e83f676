"""What there is: map, units, rules data, the position, and the records that rules hand on."""
