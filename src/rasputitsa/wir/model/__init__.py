"""What there is: map, tables, the position, and the records that rules hand on."""
