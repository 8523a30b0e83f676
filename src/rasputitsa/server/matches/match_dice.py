"""The dice of a match: seeds drawn here, the shares of the players, and when which of them is published."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rasputitsa.core.events import Event
from rasputitsa.core.record.entries import Entry, Header
from rasputitsa.core.record.seeds import CHOSEN, DRAWN, PLAIN, SERVER, Share, Source, digest_of
from rasputitsa.core.record.session import Session
from rasputitsa.server.shapes.views import DiceInfo, DiceSource

SECRET_BITS = 256
SALT_BYTES = 16
SHARE_BYTES = 16
SHOWN = 12
"""This many sources are shown at most; a match has seldom more than two."""


def draw_seed() -> str:
    """A seed that nobody has seen yet, to be kept with an invitation until the guest comes; with its salt."""
    return f"{secrets.randbits(SECRET_BITS)} {secrets.token_hex(SALT_BYTES)}"


def commitment_of(text: str) -> str:
    """The digest of a seed and its salt, published before the seed is; empty for none."""
    seed, _, salt = text.partition(" ")
    return digest_of(int(seed), salt) if text else ""


def drawn(shares: Iterable[Share] = (), awaits: Iterable[str] = (), committed: str = "") -> Source:
    """A source with a seed that nobody has seen yet, or with the one that was committed to."""
    number, _, salt = (committed or draw_seed()).partition(" ")
    seed = int(number)
    return Source(0, DRAWN, digest_of(seed, salt), seed, salt, tuple(shares), tuple(awaits))


def chosen(seed: int) -> Source:
    """A source with a seed somebody has chosen; the salt keeps it from being found by trying."""
    salt = secrets.token_hex(SALT_BYTES)
    return Source(0, CHOSEN, digest_of(seed, salt), seed, salt)


def begin(session: Session, seed: int | None, share: str | None, guests: Collection[str] = ()) -> None:
    """Settle the dice of a new match: the creator's share counts for all the creator's seats; guests are awaited."""
    if seed is not None:
        session.take_dice_from(chosen(seed))
    else:
        people = _people(session)
        own = share_of("", share)
        shares = [own._replace(seat=seat) for seat in people if seat not in guests]
        session.take_dice_from(drawn(shares, [seat for seat in people if seat in guests]))


def _people(session: Session) -> list[str]:
    """The seats people play."""
    seats = [seat.id for seat in session.seats]
    return [seat for seat in seats if session.controllers.get(seat, "human").partition(" ")[0] != "bot"]


def share_of(seat: str, text: str | None) -> Share:
    """What a seat adds; for one that brings nothing, drawn here and marked so."""
    return Share(seat, text) if text else Share(seat, secrets.token_hex(SHARE_BYTES), SERVER)


def between_people(source: Source) -> bool:
    """Whether more than one person has a share in the dice, or is awaited. The seed is then hidden to the end."""
    return len({share.text for share in source.shares}) + len(source.awaits) > 1


def joined(
    source: Source, seat: str, share: str | None, committed: str = "", held: Mapping[str, str] | None = None
) -> Source:
    """The source when a player takes a seat: the player's share replaces what was there for it.

    The seed of a game that one person played so far is replaced: that person could have seen it, or chosen it. The new
    one was ``committed`` to with the invitation, before the share was known.

    Args:
        held: who holds each seat that a person plays. Those who were never asked for a share get one drawn here, so
            that nothing has to be drawn again.
    """
    others = tuple(known for known in source.shares if known.seat != seat)
    copied = share in {known.text for known in others}
    shares = (*others, share_of(seat, None if copied else share))
    awaits = tuple(other for other in source.awaits if other != seat)
    if source.made == DRAWN and source.seed is not None and between_people(source):
        return source._replace(shares=shares, awaits=awaits)
    return _completed(drawn(shares, awaits, committed), held or {})


def _completed(source: Source, held: Mapping[str, str]) -> Source:
    """The source with a share of everybody who holds a seat."""
    known = {held.get(share.seat): share for share in source.shares}
    for seat, holder in held.items():
        if holder and seat not in {*source.awaits, *(share.seat for share in source.shares)}:
            own = known.setdefault(holder, share_of(seat, None))
            source = source._replace(shares=(*source.shares, own._replace(seat=seat)))
    return source


def settled(source: Source, held: Mapping[str, str]) -> Source:
    """The source when it waits for nobody any more who has come, or will not come.

    A seed that was one person's does not stay when there are several: so a crash while a seat was claimed is made good.

    Args:
        held: who holds each seat that a person is to play, empty for nobody yet.
    """
    waits = tuple(seat for seat in source.awaits if held.get(seat) == "")
    come = [seat for seat in source.awaits if held.get(seat)]
    if source.made != PLAIN and len(set(held.values()) - {""}) > 1 and not between_people(source):
        source, come = drawn((), waits), [seat for seat in held if held[seat]]
    for seat in come:
        own = next((share for share in source.shares if held.get(share.seat) == held[seat]), share_of(seat, None))
        source = source._replace(shares=(*source.shares, own._replace(seat=seat)))
    return source._replace(awaits=waits)


def redeemed(source: Source, held: Mapping[str, str], committed: Mapping[str, str]) -> Source:
    """The source when guests have come whose share was not taken: an earlier version gave the seat before the dice.

    Args:
        held: as for ``settled``.
        committed: the seeds that invitations of guests who have come are bound to, by seat.
    """
    if len({*held.values()} - {""}) < 2 or between_people(source):
        return source
    for seat, seed in committed.items():
        if held.get(seat) and seat not in {share.seat for share in source.shares}:
            source = joined(source, seat, None, seed, held)
    return source


def onward(session: Session) -> Source:
    """Where the dice come from when several people go back beyond a die: those that fell do not come again.

    Once a game is over everybody knows its seed, so another one is drawn.
    """
    source = session.header.sources[-1]
    return drawn(source.shares, source.awaits) if session.decision() is None else source


def go_on(session: Session) -> None:
    """Give a loaded game new dice if it cannot go on with its own, or if several people's seed came with it."""
    source = session.header.sources[-1]
    if session.decision() is not None and (source.key is None or source.awaits or between_people(source)):
        begin(session, None, None)


class Branch(NamedTuple):
    """A match up to an entry, to start a copy from."""

    header: Header
    entries: list[Entry]
    told: list[tuple[list[Event], tuple[str, str]]]
    """What came of the entries that cannot be replayed, since the rules have changed."""
    hide: bool
    """Whether the copy must not hold the seed of the match."""


def branch(found: Branch) -> Session:
    """Play entries of a match again, with new dice from there on: the copy must not foretell those of the match."""
    header, entries = found.header, found.entries
    sources = header.sealed().dice if found.hide else header.sources
    before = [source for source in sources if source.start < len(entries)] or [sources[0]._replace(skip=())]
    session = Session.from_entries(replace(header, seed=0, dice=before), entries)
    session.recall(found.told)
    begin(session, None, None)
    return session


def _published(sources: Sequence[Source]) -> list[Source]:
    """The last sources that differ in more than where they begin and how many numbers were taken back."""
    told: list[Source] = []
    for source in sources:
        if not told or told[-1]._replace(start=0) != source._replace(start=0, skip=()):
            told.append(source._replace(skip=()))
    return told[-SHOWN:]


def dice_json(session: Session, ply_at: Callable[[int], int]) -> DiceInfo:
    """What is published of the dice: digests and shares from the start, seeds and how many fell at the end.

    ``ply_at`` says how a seat counts the entries.
    """
    over = session.decision() is None
    sources = [source if over else source.sealed() for source in _published(session.header.sources)]
    last, audit = sources[-1], session.audit()
    return {
        "digest": last.digest,
        "seed": None if last.seed is None else str(last.seed),
        "made": last.made,
        "awaits": list(last.awaits),
        "sources": [_source_json(source, ply_at(source.start)) for source in sources],
        "sound": audit.sound,
        "whole": not audit.unknown,
        "words": audit.words if over else audit.words_so_far,
    }


def _source_json(source: Source, start: int) -> DiceSource:
    """A source by the ply at which it begins, with seed and salt where they are no secret."""
    told: DiceSource = {
        "from": start, "made": source.made, "digest": source.digest,
        "shares": [{"seat": share.seat, "share": share.text, "by": share.by} for share in source.shares],
    }  # fmt: skip
    if source.seed is not None:
        told["seed"], told["salt"] = str(source.seed), source.salt
    if source.awaits:
        told["awaits"] = list(source.awaits)
    return told
