"""Accounts: names, passwords, and who is signed in."""
