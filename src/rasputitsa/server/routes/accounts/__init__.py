"""Accounts: signing in and out, passkeys, one's own data."""
