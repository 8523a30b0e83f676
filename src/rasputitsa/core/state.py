"""What the positions of all games have in common: a list of fields, and what follows from that list.

A class of states names its fields once, each by what it is (``Fields``). Slots, equality, fingerprint and the way to
another process are read off the list. Copying alone is written out field by field in each class, since players that
think ahead copy states all the time: a loop over names takes more than twice as long, and mypyc does not compile code
generated from them. A test holds the copying against the list.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

RULES = "rules"
"""The ruleset of the game, which all its states share."""


class Fields(NamedTuple):
    """The fields of a class of states besides its ruleset, by what they are. No field stands in two groups."""

    truth: tuple[str, ...]
    """What tells one position from another, in the order of the key."""
    later: tuple[str, ...] = ()
    """Truth that is no part of the key while it is None: fields younger than the first recorded games."""
    unkeyed: tuple[str, ...] = ()
    """Truth that no key has ever held."""
    derived: tuple[str, ...] = ()
    """What follows from the truth and is kept true along with it."""
    cached: tuple[str, ...] = ()
    """What was worked out last; forgetting it costs time and nothing else."""

    @property
    def kept(self) -> tuple[str, ...]:
        """What has to be sent along when a state travels."""
        return (*self.truth, *self.later, *self.unkeyed, *self.derived)

    @property
    def slots(self) -> tuple[str, ...]:
        """Every field, the ruleset included."""
        return (RULES, *self.kept, *self.cached)


class BaseState:
    """A position of some game. A subclass has ``fields``, ``__slots__`` made of them, and a way to copy itself."""

    __slots__ = ()

    fields: ClassVar[Fields]

    def summary(self) -> str:
        """The position in a few words."""
        raise NotImplementedError

    def key(self) -> tuple[object, ...]:
        """All that makes two positions of one game equal, as values that never change."""
        fields = self.fields
        values = [frozen(getattr(self, name)) for name in fields.truth]
        later = [getattr(self, name) for name in fields.later]
        return (*values, *self.key_end(), *[value for value in later if value is not None])

    def key_end(self) -> tuple[object, ...]:
        """What a key holds after the truth."""
        return ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return False
        return getattr(self, RULES) is getattr(other, RULES) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary()}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """How a state travels to another process, compiled or not: without its caches."""
        values = tuple([getattr(self, name) for name in self.fields.kept])
        return revive, (type(self), getattr(self, RULES), values)


def revive(make: Any, rules: object, values: tuple[object, ...]) -> Any:
    """The state of a class that had these values of the fields it keeps."""
    state = make(rules)
    for name, value in zip(make.fields.kept, values, strict=True):
        setattr(state, name, value)
    return state


def frozen(value: object) -> object:
    """A value of a field as one that does not change: lists as tuples, byte arrays as bytes."""
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, list):
        nested = bool(value) and isinstance(value[0], (list, bytearray))
        return tuple([frozen(item) for item in value]) if nested else tuple(value)
    return value
