"""What onlookers see who are some time behind the players."""
