"""What people who play together have beyond the match: seats, open tables, clocks, notices and rematches."""
