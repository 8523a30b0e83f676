"""Tables of accounts, and of the matches that count for their ratings."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Index, String, Table

from rasputitsa.server.store.schema.columns import BigId, match_id, metadata

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("name", String(120), nullable=False),
    Column("seen", String(200), nullable=False),
    Column("password", String(200), nullable=False),
    Column("shown", String(120), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("ix_accounts_seen", "seen"),
    sqlite_with_rowid=False,
)
"""``seen``: the name at a glance, of which there is one; ``password``: a digest, or nothing; ``shown``: the name at the
table."""

account_sessions = Table(
    "account_sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("account", String(24), nullable=False),
    Column("browser", String(60), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("used_up_ms", BigInteger, nullable=False),
    Index("ix_account_sessions_account", "account"),
    sqlite_with_rowid=False,
)
"""Browsers that are signed in, by digests of what they show. ``used_up_ms`` goes by how long the server was up."""

account_passkeys = Table(
    "account_passkeys",
    metadata,
    Column("id", String(1400), primary_key=True),
    Column("account", String(24), nullable=False),
    Column("site", String(255), nullable=False),
    Column("public", String(4000), nullable=False),
    Column("uses", BigInteger, nullable=False),
    Column("label", String(60), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("ix_account_passkeys_account", "account"),
    sqlite_with_rowid=False,
)
"""Passkeys, with the name of the site each is for. ``public``: the key that what it signs is checked by."""

account_seats = Table(
    "account_seats",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("account", String(24), nullable=False),
    Index("ix_account_seats_account", "account"),
    sqlite_with_rowid=False,
)
"""Seats that are kept with an account: the person signed in gets a key to them."""

account_blocks = Table(
    "account_blocks",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("account", String(24), nullable=False),
    Column("blocked", String(24), nullable=False),
    Column("holder", String(24), nullable=False),
    Column("label", String(400), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("ix_account_blocks_account", "account"),
    Index("ix_account_blocks_blocked", "blocked"),
    Index("ix_account_blocks_holder", "holder"),
    sqlite_with_rowid=False,
)
"""Whom an account has blocked: the ``holder`` of a seat, and the account that the seat is kept with, if any is known.
``label``: what was to be seen of them at the table."""

rated_matches = Table(
    "rated_matches",
    metadata,
    match_id(),
    Column("first", String(24), nullable=False),
    Column("second", String(24), nullable=False),
    Column("result", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Matches that count, with the accounts that play the first and the second side of the game; empty for who is still to
come. ``result``: the number of what came of it, 0 before its end."""

results = Table(
    "results",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("game", String(40), nullable=False),
    Column("scenario", String(80), nullable=False),
    Column("first", String(24), nullable=False),
    Column("second", String(24), nullable=False),
    Column("score", Float, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Index("ix_results_game", "game"),
    sqlite_autoincrement=True,
)
"""What came of rated matches, which may be gone: ``score`` is the first side's, 1, 0.5 or 0. Of an account that is
deleted a word stays that leads to nobody."""
