"""Tables of matches and their seats, and of what belongs to both."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text, false

from rasputitsa.server.store.schema.accounts import account_seats, rated_matches
from rasputitsa.server.store.schema.columns import BigId, match_id, metadata

HIDDEN = -1
"""The number of entries of a match that is not whole yet, or is being deleted: to everybody it does not exist."""

MAX_ID = 2**63 - 1
"""No number of a match is larger."""

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
"""``opened``: one person sees it with the eyes of more than one side; ``shown``: it was saved or copied whole while it
was played, or was over before it went on, with what one side hides from the other laid open."""


seats = Table(
    "seats",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("holder", String(24), nullable=False),
    Column("owned", Boolean, nullable=False),
    Column("stirred_ms", BigInteger, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)
"""``holder`` names a person within a match, empty for nobody; ``owned``: the owner of the machine may sit down;
``stirred_ms``: how long the server had been up when the seat last saw something new or gave a sign."""

seat_keys = Table(
    "seat_keys",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("session", String(64), nullable=False, server_default=""),
    Index("ix_seat_keys_session", "session"),
    sqlite_with_rowid=False,
)
"""A seat has a key for each browser; keys are kept nowhere. ``session``: with which one a key ends, if with any."""

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
    Column("session", String(64), nullable=False, server_default=""),
    Index("ix_invitations_match_id", "match_id"),
    Index("ix_invitations_session", "session"),
    sqlite_with_rowid=False,
)
"""Digests of the links to a seat; of a claimed one also of the request that claimed it and of the key it got.

``promise``: a seed for the dice, if this guest makes them dice between people; ``origin``: a salted digest of the
address it was claimed from."""

agreements = Table(
    "agreements",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("topic", String(120), primary_key=True),
    sqlite_with_rowid=False,
)
"""What the person in a seat has agreed to."""

messages = Table(
    "messages",
    metadata,
    match_id(),
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
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("notes", Text, nullable=False),
    Column("talk_from", BigInteger, nullable=False),
    Column("sketch", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)
"""What belongs to the person in a seat: notes, the first message they may read, and in ``sketch`` their map notes."""

journal = Table(
    "journal",
    metadata,
    match_id(),
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
    match_id(),
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
    match_id(),
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
    match_id(),
    Column("scope", String(40), primary_key=True),
    Column("body", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""What the computer worked out about a match, for a seat or (scope empty) for all; it can be worked out again."""

rematches = Table(
    "rematches",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("former_match", BigInteger, nullable=False),
    Column("former_seat", String(40), nullable=False),
    Column("door", String(10), nullable=False),
    Index("ix_rematches_former_match", "former_match"),
    sqlite_with_rowid=False,
)
"""A match that follows another: for each seat of the former one that a person held, the new one, and its ``door``."""

open_seats = Table(
    "open_seats",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("pace", String(10), nullable=False),
    Column("level", String(10), nullable=False),
    Column("publisher", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("until_up_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Seats that everybody may take from a list; ``publisher``: a digest of the address it was asked for from,
``until_up_ms``: it leaves the list when the server has been up for so long."""

notice_ways = Table(
    "notice_ways",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("form", String(10), nullable=False),
    Column("address", String(500), nullable=False),
    Column("stop", String(64), nullable=False),
    Column("trouble", String(200), nullable=False),
    Column("asked_ms", BigInteger, nullable=False),
    Column("told", BigInteger, nullable=False),
    Column("confirm", String(64), nullable=False, server_default=""),
    Index("ix_notice_ways_stop", "stop"),
    sqlite_with_rowid=False,
)
"""Where the holder of a seat wants notices. ``asked_ms``: since when the seat is asked and out of sight, -1 if it is
not; ``told``: the number of the seat's own last entry at its last notice, -2 if it had none; ``confirm``: the token
by which the reader of mail at the address agrees, empty if nobody has to."""

mail_addresses = Table(
    "mail_addresses",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("mailbox", String(64), nullable=False),
    Column("proof", String(64), nullable=False),
    Column("refused", Boolean, nullable=False),
    Column("asked", Integer, nullable=False),
    Column("asked_ms", BigInteger, nullable=False),
    Column("sent_ms", BigInteger, nullable=False),
    Index("ix_mail_addresses_mailbox", "mailbox"),
    sqlite_with_rowid=False,
)
"""Salted digests of mail addresses and of the mailboxes they lead to. ``proof``: what a browser shows whose player has
agreed for the address; ``asked``: questions since ``asked_ms``; ``sent_ms``: when a notice of turns last went there."""

notices = Table(
    "notices",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("match_id", BigId, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seat", String(40), nullable=False),
    Column("first", Boolean, nullable=False),
    Column("under_way", Boolean, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Index("ix_notices_match_id", "match_id"),
    Index("ix_notices_due_ms", "due_ms"),
)
"""Notices that are to go out. One ``under_way`` when the server ends may have arrived, and is not sent again."""

clocks = Table(
    "clocks",
    metadata,
    match_id(),
    Column("pace", String(10), nullable=False),
    Column("bank_ms", BigInteger, nullable=False),
    Column("turn_ms", BigInteger, nullable=False),
    Column("holiday_ms", BigInteger, nullable=False),
    Column("lapse", String(10), nullable=False),
    Column("seat", String(40), nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Column("turns", Text, nullable=False),
    Index("ix_clocks_due_ms", "due_ms"),
    sqlite_with_rowid=False,
)
"""What is agreed about time. ``seat``: whose time runs, from ``since_ms`` on, and is up at ``due_ms``, both by how long
a server was up; ``due_ms`` is -1 while none runs, and the seat empty, or one that is asked and that no person plays.
``turns``: those that have added time."""

seat_clocks = Table(
    "seat_clocks",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("left_ms", BigInteger, nullable=False),
    Column("holiday_ms", BigInteger, nullable=False),
    Column("away_until_ms", BigInteger, nullable=False),
    Column("free_ms", BigInteger, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)
"""The time a seat had left when it began to run last, the holidays it has left, until when it is on one, and the free
time that further questions of the turn may have."""

standing_orders = Table(
    "standing_orders",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("mode", String(10), nullable=False),
    Column("policies", Text, nullable=False),
    Column("held", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""What the holder of a seat wants answered. ``held``: how many entries the match had when it was taken back to a
question of the seat, -1 if it was not."""

standing_answers = Table(
    "standing_answers",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("entry", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
"""The entries of a match that standing orders of a seat have given, by their number from 0 on."""

calendars = Table(
    "calendars",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("used_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Calendars that people subscribe to, by the digests of their tokens, and when each was read last."""

calendar_seats = Table(
    "calendar_seats",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("calendar", String(64), nullable=False),
    Index("ix_calendar_seats_calendar", "calendar"),
    sqlite_with_rowid=False,
)
"""The seats whose turns are in a calendar; of each in one."""

classes = Table(
    "classes",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("teacher", String(64), nullable=False),
    Column("title", String(200), nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Classes by the digest of the code that pupils type, with that of the teacher's key; ``closed``: nobody new comes."""

class_matches = Table(
    "class_matches",
    metadata,
    match_id(),
    Column("class_id", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Column("paused", Boolean, nullable=False),
    Index("ix_class_matches_class_id", "class_id"),
    sqlite_with_rowid=False,
)
"""The matches of a class, by the digest of its code, numbered from 1 on; ``paused``: nobody can act there for now."""

class_pupils = Table(
    "class_pupils",
    metadata,
    match_id(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", String(40), nullable=False),
    Column("name", String(120), nullable=False),
    Column("seen", String(200), nullable=False),
    Column("word", String(64), nullable=False),
    Column("request", String(64), nullable=False),
    sqlite_with_rowid=False,
)
"""Who plays a seat of a class: a name, how it looks at a glance, and digests of the pupil's own word and of the request
with which the pupil came."""

class_cards = Table(
    "class_cards",
    metadata,
    match_id(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Questions to those who play a match, each shown from a turn on; 0: at once. A number is the same in all matches."""

class_answers = Table(
    "class_answers",
    metadata,
    match_id(),
    Column("seat", String(40), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""What a seat has answered to a card."""

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
"""One row: which store this is, how many transactions it has taken, and for how long a server was up with it."""

LEADING = (
    account_seats, rated_matches, seat_keys, seats, invitations, messages, desks, rematches, open_seats, notices,
    notice_ways, clocks, seat_clocks, standing_orders, standing_answers, calendar_seats, class_pupils, class_cards,
    class_answers, class_matches, held,
)  # fmt: skip
"""Without these nothing leads to a match any more."""
