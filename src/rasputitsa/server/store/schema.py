"""Tables. A match is a header and an append-only journal; everything else is there to find or guard them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

BigId = BigInteger().with_variant(Integer, "sqlite")
"""SQLite's INTEGER PRIMARY KEY is 64 bits wide; other databases need to be told."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

matches = Table(
    "matches",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("title", String(200), nullable=False),
    Column("header", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("entries", BigInteger, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Column("opened", Boolean, nullable=False, server_default=false()),
    Column("shown", Boolean, nullable=False, server_default=false()),
    Index("ix_matches_updated_ms", "updated_ms"),
    sqlite_autoincrement=True,
)
"""``opened``: one person sees it with the eyes of more than one side; ``shown``: it was saved or copied whole, while it
was played, with what one side hides from the other."""


def _match_id() -> Column[int]:
    return Column("match_id", BigId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


seats = Table(
    "seats",
    metadata,
    _match_id(),
    Column("seat", String(40), primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("holder", String(24), nullable=False),
    Column("owned", Boolean, nullable=False),
    Column("stirred_ms", BigInteger, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)
"""``holder`` names a person within a match, empty for nobody; ``owned``: the owner of the machine may sit down;
``stirred_ms``: how long the server had been up when the seat was last told of something or gave a sign."""

seat_keys = Table(
    "seat_keys",
    metadata,
    _match_id(),
    Column("seat", String(40), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("created_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""A seat has a key for each browser it is played from. Keys themselves are kept nowhere."""

invitations = Table(
    "invitations",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("match_id", BigId, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seat", String(40), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("inviter", String(24), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("claimed_ms", BigInteger, nullable=True),
    Column("request", String(64), nullable=False),
    Column("key", String(64), nullable=False),
    Column("promise", Text, nullable=False, server_default=""),
    Column("origin", String(64), nullable=False, server_default=""),
    Index("ix_invitations_match_id", "match_id"),
    sqlite_with_rowid=False,
)
"""Digests of the links to a seat; of a claimed one also of the request that claimed it and of the key it got.

``promise``: a seed for the dice, if this guest makes them dice between people; ``origin``: a salted digest of the
address it was claimed from."""

agreements = Table(
    "agreements",
    metadata,
    _match_id(),
    Column("seat", String(40), primary_key=True),
    Column("topic", String(120), primary_key=True),
    sqlite_with_rowid=False,
)
"""What the person in a seat has agreed to."""

messages = Table(
    "messages",
    metadata,
    _match_id(),
    Column("number", BigInteger, primary_key=True),
    Column("seat", String(40), nullable=False),
    Column("holder", String(24), nullable=False),
    Column("side", String(40), nullable=False),
    Column("text", String(400), nullable=False),
    Column("request", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""What was said at the table; ``side`` empty: to everybody who has a seat. ``holder``: who had the seat then."""

desks = Table(
    "desks",
    metadata,
    _match_id(),
    Column("seat", String(40), primary_key=True),
    Column("notes", Text, nullable=False),
    Column("talk_from", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""What belongs to the person in a seat alone: notes, and the first message that person may read."""

journal = Table(
    "journal",
    metadata,
    _match_id(),
    Column("seq", BigInteger, primary_key=True),
    Column("seat", String(40), nullable=False),
    Column("line", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("ply", BigInteger, nullable=True),
    Column("place", Text, nullable=True),
    Column("events", Text, nullable=True),
    Index("ix_journal_ply", "match_id", "ply"),
    sqlite_with_rowid=False,
)
"""``ply`` is the number of an entry in the game, empty for a step back. What was taken back keeps its number; of two
with the same, the later one counts."""

snapshots = Table(
    "snapshots",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("match_id", BigId, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("ply", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("ix_snapshots_match_id", "match_id", "seq"),
)
"""The position a match stands at, and one in about 64 before it; ``seq`` entries of the journal led there."""

requests = Table(
    "requests",
    metadata,
    _match_id(),
    Column("seat", String(40), primary_key=True),
    Column("request_id", String(80), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("answer", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False, server_default="0"),
    Index("ix_requests_created_ms", "created_ms"),
    sqlite_with_rowid=False,
)
"""Requests of the last days that were accepted, to be answered alike when they come again."""

held = Table(
    "held",
    metadata,
    _match_id(),
    Column("who", String(64), primary_key=True),
    Column("bytes", BigInteger, nullable=False),
    Column("written_ms", BigInteger, nullable=False),
    Index("ix_held_who", "who"),
    sqlite_with_rowid=False,
)
"""How many bytes of a match were written for an address; forgotten some days after the last of them."""

analyses = Table(
    "analyses",
    metadata,
    _match_id(),
    Column("scope", String(40), primary_key=True),
    Column("body", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""What the computer worked out about a match, for a seat or (scope empty) for all; it can be worked out again."""

creations = Table(
    "creations",
    metadata,
    Column("request", String(64), primary_key=True),
    Column("content", String(64), nullable=False),
    Column("match_id", BigInteger, nullable=False),
    Column("salt", String(64), nullable=False),
    Column("seats", Text, nullable=False),
    Column("creator", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("ix_creations_creator", "creator"),
    Index("ix_creations_created_ms", "created_ms"),
    sqlite_with_rowid=False,
)
"""Requests of the last days that made a match; they outlive it, and count for the address they came from."""

store_state = Table(
    "store_state",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("store", String(32), nullable=False),
    Column("changes", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    Column("up_ms", BigInteger, nullable=False, server_default="0"),
)
"""One row: which store this is, and how many transactions it has taken; see ``mark``. ``up_ms``: for how long a server
has been up with it; see ``uptimes``."""
