"""A lesson that leads by the hand: steps one after the other, and remarks when it is over.

They stand in the file of the lesson, in tables ``steps`` and ``remarks``:

    [[steps]]
    text = "Choose the 39th Panzer Corps in P10."     # one instruction
    why = "StackState units may act."                      # optional
    units = ["39Pz"]                                   # what is marked on the map
    hexes = ["P10"]
    button = "done"                                    # the verb whose button is marked, or several: "halt done"
    until = [{ action = "move 39Pz" }, { event = "moved", units = ["39Pz"] }]     # any of these completes it
    passed = [{ action = "done" }]                     # any of these makes it needless
    along = ["move 39Pz", "to *"]                      # orders that belong to it; any other is gently pointed out
    astray = "That moves another unit."                # with these words

    [[remarks]]
    when = [{ event = "announced", units = ["39Pz", "24Pz"] }]
    good = "All four units attacked together."
    else = "The attack was made with less than there was."

A sign is an order of the learner in notation, where ``*`` stands for any word, or an event with some of its data: a
list must hold the values named, anything else must be equal. ``times`` says in how many entries it must be found. All
signs are looked for from the start of the lesson on, so that a learner who does things in another order, or takes them
back, is shown the right step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rasputitsa.core.errors import SetupError

STEPS, REMARKS = "steps", "remarks"
ANY = "*"


class Happening(NamedTuple):
    """An entry of the record, as the learner's seat may read it."""

    own: bool
    """Whether the learner made it."""
    action: str
    events: Sequence[tuple[str, Mapping[str, Any]]]
    """Kind and data of what came of it."""


class Sign(NamedTuple):
    """An order or an event that is looked for."""

    action: str
    event: str
    data: Mapping[str, Any]
    times: int

    def found(self, entry: Happening) -> bool:
        """Whether an entry shows it."""
        if self.action:
            return entry.own and matches(self.action, entry.action)
        return any(kind == self.event and _holds(self.data, data) for kind, data in entry.events)

    def met(self, entries: Sequence[Happening]) -> bool:
        """Whether some entries show it often enough."""
        return sum(map(self.found, entries)) >= self.times


class Step(NamedTuple):
    """One instruction."""

    text: str
    why: str
    units: tuple[str, ...]
    hexes: tuple[str, ...]
    button: str
    until: tuple[Sign, ...]
    passed: tuple[Sign, ...]
    along: tuple[str, ...]
    astray: str

    def over(self, entries: Sequence[Happening]) -> bool:
        """Whether it is done, or needless."""
        return any(sign.met(entries) for sign in (*self.until, *self.passed))


class Remark(NamedTuple):
    """What is said of a lesson when it is over, by what was done in it."""

    when: tuple[Sign, ...]
    good: str
    otherwise: str


class Guide(NamedTuple):
    """The steps of a lesson, and the remarks at its end."""

    steps: tuple[Step, ...]
    remarks: tuple[Remark, ...]

    def at(self, entries: Sequence[Happening]) -> int:
        """The number of the first step that is still to be done; that of all steps when none is left."""
        return next((n for n, step in enumerate(self.steps) if not step.over(entries)), len(self.steps))

    def astray(self, entries: Sequence[Happening]) -> str:
        """What to say of the learner's last order if it does not belong to the step; empty if it does."""
        own = [number for number, entry in enumerate(entries) if entry.own]
        now = self.at(entries)
        if not own or now == len(self.steps) or self.at(entries[: own[-1]]) != now:
            return ""
        step, last = self.steps[now], entries[own[-1]].action
        if not step.along or any(matches(pattern, last) for pattern in step.along):
            return ""
        return step.astray or "That is allowed, but it is not this step. Take it back with Undo, or go on from here."


def matches(pattern: str, action: str) -> bool:
    """Whether an order in notation is of a pattern.

    Examples:
        >>> matches("to *", "to P11"), matches("to P11", "to P12"), matches("done", "done")
        (True, False, True)
    """
    wanted, given = pattern.split(), action.split()
    return len(wanted) == len(given) and all(a in (ANY, b) for a, b in zip(wanted, given, strict=True))


def _holds(wanted: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    for name, value in wanted.items():
        found = data.get(name)
        if isinstance(value, tuple):
            if not isinstance(found, Sequence) or not set(value) <= set(found):
                return False
        elif found != value:
            return False
    return True


# ---------------------------------------------------------------------- reading


class FieldError(SetupError):
    """A field of a guide is none; ``field`` is its place in the file, such as ``steps.2.until``."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field, self.message = field, message


def read(table: Mapping[str, Any]) -> Guide | None:
    """The guide in the file of a lesson, or None if it has none; raises ``FieldError``."""
    if STEPS not in table and REMARKS not in table:
        return None
    steps = [_step(f"{STEPS}.{n}", given) for n, given in enumerate(_tables(table, STEPS))]
    remarks = [_remark(f"{REMARKS}.{n}", given) for n, given in enumerate(_tables(table, REMARKS))]
    return Guide(tuple(steps), tuple(remarks))


def named(guide: Guide) -> Iterable[tuple[str, str, str]]:
    """Everything in a guide that must be known to the game: the field, what it names, and the kind of that: ``unit``,
    ``hex``, ``verb`` or ``event``."""
    for n, step in enumerate(guide.steps):
        field = f"{STEPS}.{n}"
        yield from ((f"{field}.units", unit, "unit") for unit in step.units)
        yield from ((f"{field}.hexes", hex_, "hex") for hex_ in step.hexes)
        yield from ((f"{field}.button", verb, "verb") for verb in step.button.split())
        yield from ((f"{field}.along", pattern.split()[0], "verb") for pattern in step.along)
        for name, signs in (("until", step.until), ("passed", step.passed)):
            yield from _of_signs(f"{field}.{name}", signs)
    for n, remark in enumerate(guide.remarks):
        yield from _of_signs(f"{REMARKS}.{n}.when", remark.when)


def _of_signs(field: str, signs: Iterable[Sign]) -> Iterable[tuple[str, str, str]]:
    for sign in signs:
        yield (field, sign.action.split()[0], "verb") if sign.action else (field, sign.event, "event")


def _tables(table: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = table.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise FieldError(name, f"{name} are written as [[{name}]]")
    return found


def _step(field: str, given: Mapping[str, Any]) -> Step:
    _known(field, given, {"text", "why", "units", "hexes", "button", "until", "passed", "along", "astray"})
    return Step(
        _text(field, given, "text", needed=True), _text(field, given, "why"), _texts(field, given, "units"),
        _texts(field, given, "hexes"), _text(field, given, "button"), _signs(field, given, "until", needed=True),
        _signs(field, given, "passed"), _texts(field, given, "along"), _text(field, given, "astray"),
    )  # fmt: skip


def _remark(field: str, given: Mapping[str, Any]) -> Remark:
    _known(field, given, {"when", "good", "else"})
    return Remark(
        _signs(field, given, "when", needed=True), _text(field, given, "good", needed=True),
        _text(field, given, "else", needed=True),
    )  # fmt: skip


def _known(field: str, given: Mapping[str, Any], names: set[str]) -> None:
    for name in given:
        if name not in names:
            raise FieldError(f"{field}.{name}", f"there is no field {name!r}; known: {', '.join(sorted(names))}")


def _text(field: str, given: Mapping[str, Any], name: str, *, needed: bool = False) -> str:
    text = given.get(name, "")
    if not isinstance(text, str) or (needed and not text.strip()):
        raise FieldError(f"{field}.{name}", "a text is needed")
    return text


def _texts(field: str, given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    found = given.get(name, [])
    if not isinstance(found, list) or not all(isinstance(text, str) and text.strip() for text in found):
        raise FieldError(f"{field}.{name}", "a list of texts is needed")
    return tuple(found)


def _signs(field: str, given: Mapping[str, Any], name: str, *, needed: bool = False) -> tuple[Sign, ...]:
    found, where = given.get(name, []), f"{field}.{name}"
    if not isinstance(found, list) or (needed and not found):
        raise FieldError(where, 'a list of signs is needed, such as [{ action = "done" }]')
    return tuple(_sign(where, one) for one in found)


def _sign(where: str, given: Any) -> Sign:
    if not isinstance(given, Mapping) or ("action" in given) == ("event" in given):
        raise FieldError(where, "a sign has either an action or an event")
    rest = {name: value for name, value in given.items() if name not in ("action", "event", "times")}
    times = given.get("times", 1)
    if isinstance(times, bool) or not isinstance(times, int) or times < 1:
        raise FieldError(where, f"times is a number from 1 on, not {times!r}")
    if "action" in given and rest:
        raise FieldError(where, f"an action has no data: {', '.join(sorted(rest))}")
    for word in ("action", "event"):
        if word in given and (not isinstance(given[word], str) or not given[word].strip()):
            raise FieldError(where, f"{word} is a text")
    data = {name: tuple(value) if isinstance(value, list) else value for name, value in rest.items()}
    return Sign(given.get("action", ""), given.get("event", ""), data, times)
