"""Conformance cases: small files that say what a paragraph of a rulebook asks for, and a runner for them.

rule  = "VII.B"                     # one paragraph, or a list
title = "Dispersed defenders are read one column higher"
game  = "portfolio"
[position]                          # a position file's fields, or file = "other.toml"
[play]
actions = ["attack N7: 39Pz"]       # notation; "!" in front: must be refused
dice    = [3]                       # plain numbers, or ["retreat", 4]; all must be used; or by stream, see StreamDice
finish  = true                      # answer what is left with the plainest choice until dice and result are in
[expect]
refused   = "XI.B.2"                # the last action is refused, citing this paragraph
result    = "D1"                    # or a list, one a defending unit
legal     = ["to N6"]               # among the options at the end, or the asides of the seat that is asked
not_legal = ["to N9"]
why       = { "to N9" = "XI.B.1" }  # not legal, and refused citing this paragraph
asks      = "exchange"              # kind of the open decision
seat      = "soviet"
[expect.position]                   # a position fragment: what it names must match
[expect.observe.soviet]             # a fragment of what a seat may know
[expect.log]                        # by seat, the lines of the log that it may read of what was played
[expect.odds]                       # targets, units and the fields of the odds that must match
[expect.query.reach]                # any query: its arguments under `args`, the rest must match
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rasputitsa.core import files
from rasputitsa.core.actions import Action
from rasputitsa.core.conformance.kinds import wrong_fields
from rasputitsa.core.data.folder import parsed_toml
from rasputitsa.core.dice import DIE, DiceError, Draw, ScriptedDice, SeededDice
from rasputitsa.core.errors import IllegalAction, RasputitsaError
from rasputitsa.core.events import Event
from rasputitsa.core.game import Game
from rasputitsa.core.lines import HALT
from rasputitsa.core.marks import plain
from rasputitsa.core.registry import get_game

TABLES = {"rule", "title", "game", "position", "play", "expect", "note", "source"}
EXPECTATIONS = {
    "refused", "result", "legal", "not_legal", "why", "asks", "seat", "position", "observe", "odds", "query",
    "outcome", "events", "reason", "log",
}  # fmt: skip
PLAY = {"actions", "dice", "finish"}
MOST_BYTES = 4_000_000
MOST_STEPS = 300
CLOSE = 0.005
"""How far a number with a decimal point may lie from what is expected."""


ONLOOKER = "onlooker"


class CaseError(RasputitsaError):
    """A case file that cannot be read."""


class StreamDice:
    """Dice given by stream: ``{ combat = [51, 51, 3], entrench = 100 }``.

    The dice of a list fall in its order and must all be used; a plain number is what every die of its stream shows.
    Dice of streams that are not named fall as they like.
    """

    def __init__(self, streams: Mapping[str, Sequence[int] | int]) -> None:
        self._always = {name: value for name, value in streams.items() if isinstance(value, int)}
        self._queues = {name: list(value) for name, value in streams.items() if not isinstance(value, int)}
        self._others = SeededDice(0)
        self.drawn: list[Draw] = []

    @property
    def left(self) -> int:
        """How many of the dice given have not been used."""
        return sum(len(queue) for queue in self._queues.values())

    def roll(self, stream: str, sides: int = DIE) -> int:
        """The next number of a stream; raises ``DiceError`` if there is none or it does not fit."""
        if stream in self._queues:
            if not self._queues[stream]:
                raise DiceError(f"a further {stream} die (of {sides}) is needed")
            value = self._queues[stream].pop(0)
        elif stream in self._always:
            value = self._always[stream]
        else:
            value = self._others.roll(stream, sides)
        if not 1 <= value <= sides:
            raise DiceError(f"a {stream} die of {sides} cannot show {value}")
        self.drawn.append(Draw(stream, value))
        return value


@dataclass
class Case:
    """One conformance case."""

    path: Path
    rules: tuple[str, ...]
    title: str
    game: str
    position: Mapping[str, Any]
    actions: list[str]
    dice: ScriptedDice | StreamDice
    finish: bool
    expect: Mapping[str, Any]


@dataclass
class Report:
    """What a case came to: empty ``failures`` means that it passed."""

    case: Case
    failures: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether everything expected was found."""
        return not self.failures


def find_cases(paths: Iterable[Path]) -> Iterator[Path]:
    """The case files among and below some paths, sorted."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.toml"))
        else:
            yield path


def read_cases(path: Path) -> list[Case]:
    """The cases of a file: one, or several under ``[[case]]``; raises ``CaseError``."""
    table = _toml(path, path)
    tables = table.pop("case", None)
    if not isinstance(tables, (list, type(None))):
        raise CaseError(f"{path}: cases are written as [[case]]")
    ones = [{}] if tables is None else tables
    if not all(isinstance(one, Mapping) for one in ones):
        raise CaseError(f"{path}: cases are written as [[case]]")
    return [_case(path, {**table, **one}) for one in ones]


def _toml(path: Path, name: object) -> dict[str, Any]:
    """The table that a file holds; raises ``CaseError``."""
    try:
        return parsed_toml(files.as_text(files.read_bytes(path, MOST_BYTES), name))
    except OSError as problem:
        raise CaseError(f"{name}: {problem.strerror}") from problem
    except ValueError as problem:
        raise CaseError(f"{name}: {problem}") from problem


def _case(path: Path, table: Mapping[str, Any]) -> Case:
    name = f"{path} ({table.get('title', 'without title')})"
    _known(name, table, TABLES)
    for needed in ("rule", "title", "game", "expect"):
        if needed not in table:
            raise CaseError(f"{name}: {needed} is missing")
    for wrong in wrong_fields(table):
        raise CaseError(f"{name}: {wrong}")
    play = table.get("play", {})
    _known(f"{name}: play", play, PLAY)
    _known(f"{name}: expect", table["expect"], EXPECTATIONS)
    rules = table["rule"]
    position = dict(table.get("position", {}))
    if "file" in position:
        position = _merged(_beside(path, position.pop("file")), position)
    return Case(
        path, tuple(rules) if isinstance(rules, list) else (str(rules),), str(table["title"]), str(table["game"]),
        position, list(play.get("actions", [])),
        _dice(play.get("dice", [])),
        bool(play.get("finish", "result" in table["expect"])), table["expect"],
    )  # fmt: skip


def _beside(path: Path, name: Any) -> dict[str, Any]:
    """The position in a file that lies next to a case; a case of somebody else opens no other."""
    if not isinstance(name, str) or not name or Path(name).name != name or "\\" in name:
        raise CaseError(f"{path}: position.file is the name of a file next to it, not {name!r:.60}")
    return _toml(path.parent / name, f"{path}: {name}")


def _dice(given: Any) -> ScriptedDice | StreamDice:
    if isinstance(given, Mapping):
        return StreamDice(given)
    return ScriptedDice(die if isinstance(die, int) else Draw(*die) for die in given)


def _known(where: str, table: Any, names: set[str]) -> None:
    if not isinstance(table, Mapping):
        raise CaseError(f"{where}: a table is needed")
    unknown = set(table) - names
    if unknown:
        raise CaseError(f"{where}: unknown {', '.join(sorted(unknown))}; known: {', '.join(sorted(names))}")


def _merged(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in more.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def _who(seat: str) -> str | None:
    return None if seat == ONLOOKER else seat


class Run:
    """A case being played, by the installed game it names or by one that is given."""

    def __init__(self, case: Case, game: Game[Any] | None = None) -> None:
        self.case = case
        self.game: Game[Any] = game or get_game(case.game)
        self.state: Any = None
        self.dice = deepcopy(case.dice)
        self.events: list[Event] = []
        self.log: dict[str, list[str]] = {ONLOOKER: []}
        """By seat, what it may read of what was played."""
        self.failures: list[str] = []

    def fail(self, message: str) -> None:
        """Note something that is not as the case says."""
        self.failures.append(message)

    def run(self) -> Report:
        """Play the case and compare."""
        try:
            self.state = self.game.load_position(self.case.position)
            self.log |= {seat.id: [] for seat in self.game.seats(self.case.position.get("options", {}))}
            self._play()
            self._compare()
        except DiceError as problem:
            self.fail(f"dice: {problem}")
        except RasputitsaError as problem:
            self.fail(str(problem))
        return Report(self.case, self.failures)

    def _play(self) -> None:
        refused = self.case.expect.get("refused")
        last = len(self.case.actions) - 1
        for number, line in enumerate(self.case.actions):
            if line.startswith("until "):
                self._go_on_until(*line.split()[1:])
                continue
            if line.startswith("!") or (refused is not None and number == last):
                rule = str(refused) if number == last and refused is not None else ""
                self._must_refuse(line.lstrip("! "), rule)
                continue
            for action in self._shortened(line):
                self._apply(action)
        if self.case.finish:
            self._finish()
        if self.dice.left and refused is None:
            self.fail(f"{self.dice.left} of the dice given were not rolled")

    def _shortened(self, line: str) -> Iterator[Action]:
        """The actions of a line; a closing ``halt`` is left out when the move has ended by itself."""
        actions = self.game.parse(self.state, line)
        compound = len(actions) > 1
        for action in actions:
            if compound and action.verb == HALT and not self._is_option(action):
                continue
            yield action

    def _is_option(self, action: Action) -> bool:
        decision = self.game.decision(self.state)
        return decision is not None and action in decision.options

    def _apply(self, action: Action) -> None:
        happened = self.game.apply(self.state, action, self.dice)
        self.events += happened
        for seat, lines in self.log.items():
            shown = [event for event in happened if self.game.is_visible(self.state, event, _who(seat))]
            lines += filter(None, (plain(self.game.describe(self.state, event)) for event in shown))

    def _must_refuse(self, line: str, rule: str) -> None:
        before = self.game.fingerprint(self.state)
        trial = self.game.copy(self.state)
        try:
            for action in self._shortened(line):
                self.game.apply(trial, action, self.dice)
                self.state, trial = trial, self.game.copy(trial)
        except IllegalAction as problem:
            if rule and problem.rule != rule:
                self.fail(f"{line!r} should be refused by {rule}, but is by {problem.rule}: {problem.reason}")
            if self.game.fingerprint(trial) != self.game.fingerprint(self.state):
                self.fail(f"the refused {line!r} changed the game")
            wanted = self.case.expect.get("reason")
            if wanted and str(wanted).lower() not in problem.reason.lower():
                self.fail(f"{line!r}: the reason should speak of {wanted!r}, but says: {problem.reason}")
            return
        self.fail(f"{line!r} should be refused{' by ' + rule if rule else ''}, but was played (from {before})")

    def _finish(self) -> None:
        """Give the plainest answer to what is open until the dice are used."""
        for _ in range(MOST_STEPS):
            decision = self.game.decision(self.state)
            if decision is None or not self.dice.left:
                return
            self._apply(self._plainest(decision.options))

    def _plainest(self, options: Sequence[Action]) -> Action:
        verbs = {action.verb: action for action in reversed(options)}
        return next((verbs[verb] for verb in self.game.plainest if verb in verbs), options[0])

    def _go_on_until(self, phase: str, side: str, turn: str = "") -> None:
        """Give the plainest answers until a phase of a side begins, if named in a turn."""
        wanted = (phase, side, turn)
        for _ in range(MOST_STEPS):
            seen = self.game.observe(self.state, None)
            found = (seen["phase"]["id"], seen["phase"]["side"], str(seen["turn"]["number"]) if turn else "")
            decision = self.game.decision(self.state)
            if found == wanted or decision is None:
                break
            self._apply(self._plainest(decision.options))
        if found != wanted:
            self.fail(f"the game never came to {' '.join(wanted).strip()}, but to {' '.join(found).strip()}")

    # ------------------------------------------------------------------ comparing

    def _compare(self) -> None:
        expect = self.case.expect
        decision = self.game.decision(self.state)
        asides = self.game.asides(self.state, decision.seat) if decision else []
        options = [self.game.format(self.state, a) for a in (*decision.options, *asides)] if decision else []
        for line in expect.get("legal", []):
            if line not in options:
                self.fail(f"{line!r} should be legal; legal are: {', '.join(options)[:400]}")
        for line in expect.get("not_legal", []):
            if line in options:
                self.fail(f"{line!r} should not be legal")
        for line, rule in expect.get("why", {}).items():
            self._must_refuse_here(line, str(rule))
        for name, found in (
            ("asks", decision.kind if decision else None),
            ("seat", decision.seat if decision else None),
        ):
            if name in expect and expect[name] != found:
                self.fail(f"{name} should be {expect[name]!r}, but is {found!r}")
        if "result" in expect:
            self._compare_result(expect["result"])
        self._compare_parts(expect)

    def _must_refuse_here(self, line: str, rule: str) -> None:
        keep = self.state
        self.state = self.game.copy(keep)
        self._must_refuse(line, rule)
        self.state = keep

    def _compare_result(self, wanted: Any) -> None:
        found = [str(event.args[-1]) for event in self.events if event.kind == "result"]
        wanted = [str(w) for w in wanted] if isinstance(wanted, list) else [str(wanted)]
        if len(wanted) == 1 and set(found) == set(wanted):
            return
        if found != wanted:
            self.fail(f"the combat result should be {', '.join(wanted)}, but is {', '.join(found) or 'none'}")

    def _compare_parts(self, expect: Mapping[str, Any]) -> None:
        if "position" in expect:
            found = _same_spelling(self.game.dump_position(self.state), expect["position"])
            self._fragment("position", expect["position"], found)
        for seat, part in expect.get("observe", {}).items():
            self._fragment(f"observe.{seat}", part, self.game.observe(self.state, _who(seat)))
        if "log" in expect:
            self._fragment("log", expect["log"], self.log)
        for kind, part in expect.get("query", {}).items():
            wanted = {name: value for name, value in part.items() if name != "args"}
            answer = self._asked(part.get("seat"), kind, part.get("args", {}))
            self._fragment(f"query.{kind}", wanted, answer)
        if "odds" in expect:
            part = expect["odds"]
            answer = self._asked(None, "odds", part)
            wanted = {name: value for name, value in part.items() if name not in ("targets", "units")}
            self._fragment("odds", wanted, answer)
        if "outcome" in expect:
            outcome = self.game.outcome(self.state)
            self._fragment("outcome", expect["outcome"], outcome._asdict() if outcome else {"winner": "none"})
        kinds = [event.kind for event in self.events]
        for kind in expect.get("events", []):
            if kind not in kinds:
                self.fail(f"an event {kind!r} should have happened; there were: {', '.join(kinds)}")

    def _asked(self, seat: str | None, kind: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            return self.game.query(self.state, seat, kind, args)
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise CaseError(f"the question {kind!r:.40} cannot be asked like this: {problem}") from problem

    def _fragment(self, where: str, wanted: Any, found: Any) -> None:
        """Everything the wanted part names must be there; lists of plain values are compared as sets."""
        if isinstance(wanted, Mapping):
            if not isinstance(found, Mapping):
                self.fail(f"{where} should be a table, but is {found!r:.80}")
                return
            for key, value in wanted.items():
                if key.startswith("not_"):
                    missing = found.get(key[4:], [])
                    self._absent(f"{where}.{key[4:]}", value, missing)
                elif key.startswith("has_"):
                    self._present(f"{where}.{key[4:]}", value, found.get(key[4:], []))
                else:
                    self._fragment(f"{where}.{key}", value, found.get(key))
        elif isinstance(wanted, list) and isinstance(found, list):
            if sorted(map(str, wanted)) != sorted(map(str, found)):
                self.fail(f"{where} should be {wanted!r}, but is {found!r:.300}")
        elif isinstance(wanted, float) and isinstance(found, (int, float)):
            if abs(wanted - found) > CLOSE:
                self.fail(f"{where} should be {wanted}, but is {found}")
        elif wanted != found and not (wanted == "none" and found is None):
            self.fail(f"{where} should be {wanted!r}, but is {found!r:.120}")

    def _present(self, where: str, wanted: Any, found: Any) -> None:
        have = _plain_items(found)
        for item in _items(wanted):
            if item not in have:
                self.fail(f"{where} should contain {item!r}; it has {', '.join(map(str, have))[:300]}")

    def _absent(self, where: str, unwanted: Any, found: Any) -> None:
        have = _plain_items(found)
        for item in _items(unwanted):
            if item in have:
                self.fail(f"{where} should not contain {item!r}")


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple, Mapping)) else [value]


def _plain_items(found: Any) -> list[Any]:
    return [] if found is None else [_plain(item) for item in _items(found)]


def _plain(item: Any) -> Any:
    return item.get("hex", item.get("id", item)) if isinstance(item, Mapping) else item


def _same_spelling(found: dict[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """A unit expected at a bare hex matches whatever its status; at "HEX ready" only without any."""
    units = wanted.get("units")
    if isinstance(units, Mapping):
        spelled = dict(found.get("units", {}))
        for name, text in units.items():
            have = str(spelled.get(name, ""))
            bare = isinstance(text, str) and " " not in text and have.split(" ")[0] == text
            if bare or text == f"{have} ready":
                spelled[name] = text
        found = {**found, "units": spelled}
    return found


def run_case(case: Case, game: Game[Any] | None = None) -> Report:
    """Play one case and say what failed."""
    return Run(case, game).run()
