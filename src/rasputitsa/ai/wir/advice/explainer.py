"""War in Russia: a plan in words and arrows, and what a position is worth."""

from __future__ import annotations

from collections import Counter
from datetime import date
from math import atan, log, pi
from typing import Any

from rasputitsa.ai.advice.hint import Hint, PlanExplainer, Step, Thought
from rasputitsa.ai.wir.advice.goal import asked, standing
from rasputitsa.ai.wir.advice.orders import Orders
from rasputitsa.ai.wir.evaluation.seat_memory import SeatMemory
from rasputitsa.ai.wir.planning.assault import EVEN, Attack
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.marks import counted, figured
from rasputitsa.wir.api import labels
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.actions import DONE
from rasputitsa.wir.model.groups import strength as strength_of
from rasputitsa.wir.model.indices import Group, Hex, Side
from rasputitsa.wir.model.plot import BOMBARD
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import INF_POOL, INFANTRY, MECHANIZED, VEH_POOL, groups_of
from rasputitsa.wir.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.wir.rules.execution import retreat
from rasputitsa.wir.rules.movement import fatigue
from rasputitsa.wir.rules.victory import victory

MOVEMENT = frozenset({"movement", "orders"})
ADJUSTMENT = frozenset(
    {"adjust", "divide", "transfer", "aircraft", "build", "raise", "factory", "naval", "proposal"}
)  # fmt: skip
SUPPLY = frozenset({"depot"})
ROOTS = frozenset({"movement", "adjust", "depot"})
LONGEST_LINE = 380
BET = "too weak for those who stand there now; worth it if they leave"
STAFF_WORDS = {
    "transfer": "From {0} to {1}", "divide": "{0} is divided", "aircraft": "Aircraft from {0} to {1}",
    "reinforce": "Aircraft from the pool to {0}", "build": "New units at {0}", "factory": "A factory at {0}",
    "dismantle": "Dismantle the factories at {0}", "naval": "By sea from {0} to {1}",
}  # fmt: skip


class WirPlanExplainer(PlanExplainer):
    """The orders of a phase in words."""

    phases = (MOVEMENT, ADJUSTMENT, SUPPLY)
    roots = ROOTS
    closers = ("halt", "back", "decline")
    guessed = frozenset({"dismantle", "strength"})

    def __init__(self, game: Game[Any], view: State, decision: Decision, player: Any) -> None:
        super().__init__(game, view, decision)
        self.player = player
        self.side = SIDES.index(decision.side)
        self.names = view.rules.grid.names

    def explain(self, thoughts: list[Thought]) -> Hint:
        kind = thoughts[0].decision.kind
        if kind == "movement":
            found = self.movement(thoughts)
        elif kind == "depot":
            found = self.supply(thoughts)
        else:
            found = self.staff(thoughts)
        first = thoughts[0].action
        if first not in self.decision.options:  # something is in hand that the plan has no use for
            first = (
                next((a for v in self.closers for a in self.decision.options if a.verb == v), None)
                or (self.decision.options[0])
            )
        found.action = found.action or self.game.format(self.view, first)
        found.label = found.label or self.game.label(self.view, first)
        return found

    def hex(self, hex_: Hex) -> str:
        """A hex as the log marks it, with the name of its city."""
        return f"{{hex:{self.names[hex_]}}}"

    # -- movement --------------------------------------------------------------------------------------

    def movement(self, thoughts: list[Thought]) -> Hint:
        """Attacks, strikes from the air, marches, replacements."""
        orders = self.orders(thoughts)
        s: State = thoughts[-1].before
        engagements, taken = self.engagements(s, orders)
        rest = [self.march(s, group, found) for group, found in orders.items() if group not in taken]
        steps = [*engagements, *(step for step in rest if step is not None)]
        filled = sum(bool(found.filled) for found in orders.values())
        reasons = []
        if filled:
            start: State = thoughts[0].before
            men = start.pools[self.side][INF_POOL] - s.pools[self.side][INF_POOL]
            engines = start.pools[self.side][VEH_POOL] - s.pools[self.side][VEH_POOL]
            paid = " and ".join(
                figured(n, f"{what} point") for n, what in ((men, "infantry"), (engines, "vehicle")) if n > 0
            )
            reasons.append(f"Replacements go to {counted(filled, 'group')}{f', {paid}' if paid else ''}.")
        if replotted := self.replotted(s, orders):
            reasons.append(f"It changes orders that are given: {', '.join(f'{{unit:{g}}}' for g in replotted)}.")
        marching = sum(step is not None and step.kind in ("move", "rail") for step in rest)
        striking = sum(step is not None and step.kind == "strike" for step in rest)
        found = Hint("", self.headline(engagements, marching, filled, striking), "", "", reasons, steps)
        if not orders and DONE in self.decision.options:
            found.action, found.label = self.game.format(s, DONE), self.game.label(s, DONE)
        self.about_hand(found, orders)
        return found

    def orders(self, thoughts: list[Thought]) -> dict[Group, Orders]:
        """The orders of each group, taken from the answers one by one."""
        orders: dict[Group, Orders] = {}
        group = 0
        for thought in thoughts:
            s: State = thought.before
            verb, args = thought.action
            if verb == "get":
                group = args[0]
                orders.setdefault(group, Orders(s.hex[group]))
            if verb == "done" or not group:
                continue
            mine = orders[group]
            mine.actions.append(self.game.format(s, thought.action))
            if verb == "step":
                mine.way.append(s.rules.map.step[s.hex[group]][args[0]])
            elif verb == "railmove":
                mine.way.append(args[0])
                mine.rail = True
            elif verb == "plot":
                mine.plot = args[0]
            elif verb == "unplot":
                mine.plot, mine.strike = 0, None
            elif verb in ("bomb", "ground"):
                mine.strike = verb, args[0]
            elif verb == "replace":
                mine.filled += args[1]
            elif verb == "artillery":
                mine.guns = True
        return {group: mine for group, mine in orders.items() if not mine.given(self.view, group)}

    def replotted(self, s: State, orders: dict[Group, Orders]) -> list[Group]:
        """The groups that had orders which the plan ends with other ones for."""
        view: State = self.view
        return [
            group for group in orders
            if (view.plot[group] or view.strike[group])
            and (s.plot[group], s.strike[group]) != (view.plot[group], view.strike[group])
        ]  # fmt: skip

    def line(self, actions: list[str]) -> str:
        """Notation that gives one group its orders, where that is what can be done now."""
        line = "; ".join(actions if actions[-1] == "halt" else [*actions, "halt"])
        return line if self.decision.kind == "movement" and len(line) < LONGEST_LINE else ""

    def way_and_target(self, s: State, orders: Orders) -> tuple[list[Hex], Hex]:
        """The hexes a plot leads over, and the enemy hex it ends in; -1 for none."""
        way, found = [orders.here], plot.unpack(orders.plot)
        for segment in (0, 1):
            direction = found.direction(segment)
            if not direction:
                continue
            there = s.rules.map.step[way[-1]][direction]
            if there < 0:
                break
            way.append(there)
            if s.occ[1 - self.side] >> there & 1:
                return way, there
        return way, -1

    def engagements(self, s: State, orders: dict[Group, Orders]) -> tuple[list[Step], set[Group]]:
        """Joint attacks by the hex they fall on, the most promising first, then bombardments, and attacks that are a
        bet on the enemy's leaving; and who takes part."""
        joint: dict[tuple[Hex, bool], list[Group]] = {}
        for group, mine in orders.items():
            target = self.way_and_target(s, mine)[1] if mine.plot else -1
            if target >= 0:
                joint.setdefault((target, plot.unpack(mine.plot).ending == BOMBARD), []).append(group)
        expected: dict[Hex, Attack] = getattr(self.player, "expected", {})

        def rank(fight: tuple[int, bool]) -> tuple[int, float]:
            target, shells = fight
            if shells or target not in expected:
                return (1 if shells else 0), 0.0
            return (2 if expected[target].odds < EVEN else 0), -expected[target].value

        steps = []
        for target, shells in sorted(joint, key=rank):
            groups = joint[target, shells]
            ways = [self.way_and_target(s, orders[g])[0] for g in groups]
            verb = "bombard" if shells else "attack"
            step = Step(
                "attack", f"{_several(groups)} {verb}{'s' if len(groups) == 1 else ''} {self.hex(target)}",
                units=[str(g) for g in groups], origins=[self.names[w[-2]] for w in ways],
                targets=[self.names[target]],
            )  # fmt: skip
            if target in expected and not shells:
                attack = expected[target]
                step.odds, step.short_odds = _guess(attack.odds)
                step.chance = round(attack.clear, 2)
                step.why = self.why(s, attack)
            if len(groups) == 1:
                step.line = self.line(orders[groups[0]].actions)
            else:
                step.line = self.line([a for g in groups for a in _closed(orders[g].actions)])
            steps.append(step)
        return steps, {g for groups in joint.values() for g in groups}

    def why(self, s: State, attack: Attack) -> str:
        """What an attack may be expected to bring; a hex falls where somebody advances into it (7.8)."""
        if attack.odds < EVEN:
            return BET
        chance = attack.clear
        outlook = (
            "the defenders can hardly hold" if chance > 0.8 else "the defenders will probably give way"
            if chance > 0.5 else "it may drive the defenders out" if chance > 0.2 else "it wears the defenders down"
        )  # fmt: skip
        city = s.rules.map.city_at.get(attack.target)
        if city is not None and chance > 0.2:
            falls = chance * retreat.advance_chance(s, attack.groups, attack.target)
            outlook += f"; {s.rules.map.cities[city].name} would fall {figured(round(falls), 'time')} in 100"
        return "; ".join(filter(None, (outlook, asked(s, self.side, attack.target))))

    def march(self, s: State, group: Group, mine: Orders) -> Step | None:
        """A march, a strike from the air, or nothing worth a line."""
        name = f"{{unit:{group}}}"
        line = self.line(mine.actions)
        if mine.strike is not None:
            manner, target = mine.strike
            text = f"{name} {'bombs the city at' if manner == 'bomb' else 'strikes the groups at'} {self.hex(target)}"
            path = [self.names[mine.here], self.names[target]]
            return Step("strike", text, units=[str(group)], path=path, line=line)
        hexes = [mine.start, *mine.way, *(self.way_and_target(s, mine)[0][1:] if mine.plot else ())]
        path = [self.names[h] for n, h in enumerate(hexes) if h != OFF and (n == 0 or h != hexes[n - 1])]
        if len(path) < 2:
            return self.filled(group, path, mine, line)
        text = f"{name} goes {'by rail ' if mine.rail else ''}to {{hex:{path[-1]}}}"
        why = asked(self.view, self.side, hexes[-1]) if hexes[-1] != OFF else ""
        if mine.way and not mine.rail and fatigue.worn_out(s, group):
            why = "; ".join(filter(None, (why, f"{labels.worn_out(s.rules)} (8.1)")))
        return Step("rail" if mine.rail else "move", text, units=[str(group)], why=why, path=path, line=line)

    def filled(self, group: Group, path: list[str], mine: Orders, line: str) -> Step | None:
        """What a group is given that stays where it is."""
        given = [f"{figured(mine.filled, 'point')} of replacements"] if mine.filled else []
        given += ["artillery"] if mine.guns else []
        if not given:
            return None
        text = f"{{unit:{group}}} takes {' and '.join(given)}"
        return Step("mark", text, units=[str(group)], path=path, line=line)

    def headline(self, engagements: list[Step], marching: int, filled: int, striking: int = 0) -> str:
        """The plan in one line."""
        parts = []
        attacks = [step for step in engagements if step.odds and step.why != BET]
        bets = [step for step in engagements if step.why == BET]
        if attacks:
            place = f"{{hex:{attacks[0].targets[0]}}}"
            parts.append(
                f"attack {place}" if len(attacks) == 1 else f"attack in {len(attacks)} places, above all {place}"
            )
        shelled = len(engagements) - len(attacks) - len(bets)
        if shelled and not marching:
            parts.append(f"bombard in {shelled} {'place' if shelled == 1 else 'places'}")
        if marching:
            parts.append(f"march with {marching} {'group' if marching == 1 else 'groups'}")
        if striking and not parts:
            parts.append(f"strike from the air with {striking} {'group' if striking == 1 else 'groups'}")
        if filled and not parts:
            parts.append(f"fill up {counted(filled, 'group')}")
        if bets and not parts:
            parts.append(f"bet on the enemy's leaving {{hex:{bets[0].targets[0]}}}")
        text = "; ".join(parts) or "leave everything as it is"
        return f"{text[0].upper()}{text[1:]}"

    def about_hand(self, found: Hint, orders: dict[Group, Orders]) -> None:
        """If a group is in hand already, the answer is about that one."""
        if self.decision.kind != "orders" or not self.decision.units:
            return
        held = self.decision.units[0]
        mine = [step for step in found.steps if held in step.units]
        found.steps = [*mine, *(step for step in found.steps if step not in mine)]
        found.headline = mine[0].text if mine else f"{{unit:{held}}} has no orders in this plan"
        offered = {self.game.format(self.view, action): action for action in self.decision.options}
        given = orders.get(int(held))
        wanted = [a for a in (given.actions if given else []) if a in offered and a != "halt"]
        found.action = wanted[0] if wanted else "halt" if "halt" in offered else next(iter(offered))
        found.label = self.game.label(self.view, offered[found.action])

    # -- the other phases ------------------------------------------------------------------------------

    def supply(self, thoughts: list[Thought]) -> Hint:
        """Where each depot goes."""
        steps: list[Step] = []
        way: list[Hex] = []
        given: list[str] = []
        start = -1
        for thought in thoughts:
            s: State = thought.before
            top: Any = s.stack[-1]
            verb = thought.action.verb
            given.append(self.game.format(s, thought.action))
            if start < 0:
                start = top.here
            if verb in ("step", "depot", "auto"):
                after: Any = thought.after.stack[-1] if thought.after is not None and thought.after.stack else None
                way.append(getattr(after, "here", top.here))
            elif verb in ("supply", "skip", "auto_supply", "rail"):
                step = self.depot(thought, top.depot, [start, *way])
                line = "; ".join(given)
                step.line, step.ordered = line if len(line) < LONGEST_LINE else "", True
                steps.append(step)
                start, way, given = -1, [], []
        text = steps[0].text if steps else "Let the staff place the depots"
        if len(steps) > 1:
            text += f", and {figured(len(steps) - 1, 'more order')}"
        return Hint("", text, "", "", [], steps)

    def depot(self, thought: Thought, number: int, path: list[Hex]) -> Step:
        """What one depot does."""
        verb = thought.action.verb
        words = {
            "supply": f"Depot {number} supplies from {self.hex(path[-1])}", "skip": f"Depot {number} is not used",
            "auto_supply": "The staff places the other depots",
            "rail": f"Depot {number} has rail laid at {self.hex(path[-1])}",
        }  # fmt: skip
        names = [self.names[h] for n, h in enumerate(path) if n == 0 or h != path[n - 1]]
        return Step("rail" if len(names) > 1 else "mark", words[verb], path=names if verb in ("supply", "rail") else [])

    def staff(self, thoughts: list[Thought]) -> Hint:
        """Group adjustment and building: each order with what belongs to it."""
        steps: list[Step] = []
        lines: list[list[str]] = []
        details: list[list[str]] = []
        for thought in thoughts:
            verb = thought.action.verb
            if verb in ("done", "halt", "back"):
                if lines and verb == "halt":
                    lines[-1].append("halt")
                continue
            if thought.decision.kind == "adjust" or not steps:
                steps.append(self.mark(thought))
                lines.append([])
                details.append([])
            elif verb != "type":  # its strength, which comes next, names it as well
                details[-1].append(labels.subject(thought.before, thought.action))
            lines[-1].append(self.game.format(thought.before, thought.action))
        for step, line, told in zip(steps, lines, details, strict=True):
            whole = "; ".join(line)
            step.line = whole if self.decision.kind == "adjust" and len(whole) < LONGEST_LINE else ""
            counted = (f"{one} ({n} times)" if n > 1 else one for one, n in Counter(told).items())
            step.text += f": {', '.join(counted)}" if told else ""
        steps = _counted(steps)
        text = steps[0].text if steps else "Nothing to adjust or to build"
        if len(steps) > 1:
            text += f", and {figured(len(steps) - 1, 'more order')}"
        found = Hint("", text, "", "", [], steps)
        if self.decision.kind not in ROOTS:
            self.continued(found, thoughts)
        return found

    def continued(self, found: Hint, thoughts: list[Thought]) -> None:
        """What is begun already goes on as the plan would do the same thing."""
        for thought in thoughts:
            same = thought.decision.kind == self.decision.kind and thought.decision.units == self.decision.units
            if same and thought.action in self.decision.options and thought.decision.hexes == self.decision.hexes:
                found.action = self.game.format(self.view, thought.action)
                found.label = found.headline = self.game.label(self.view, thought.action)
                return
        closing = next((a for v in self.closers for a in self.decision.options if a.verb == v), None)
        if closing is not None:
            found.headline = "The computer would leave this alone"

    def mark(self, thought: Thought) -> Step:
        s: State = thought.before
        verb, args = thought.action
        kinds = self.game.verbs[verb]
        units = [n for kind, n in zip(kinds, args, strict=True) if kind == "unit" and n]
        hexes = [n for kind, n in zip(kinds, args, strict=True) if kind == "hex"]
        if verb in STAFF_WORDS:
            text = STAFF_WORDS[verb].format(*(f"{{unit:{n}}}" for n in units), *(self.hex(h) for h in hexes))
        else:
            text = labels.label(s, thought.action)
        places = [self.names[s.hex[g]] for g in units if s.hex[g] != OFF]
        return Step(
            "mark", text, units=[str(g) for g in units],
            path=list(dict.fromkeys([*places, *(self.names[h] for h in hexes)])),
        )  # fmt: skip


def _counted(steps: list[Step]) -> list[Step]:
    """The same order several times on end becomes one line, which gives all of them."""
    runs: list[list[Step]] = []
    for step in steps:
        last = runs[-1] if runs else []
        if last and last[0].text == step.text and len(_joined([*last, step])) < LONGEST_LINE:
            last.append(step)
        else:
            runs.append([step])
    for run in runs:
        run[0].line = _joined(run)
        run[0].text += f" ({len(run)} times)" if len(run) > 1 else ""
    return [run[0] for run in runs]


def _joined(steps: list[Step]) -> str:
    return "; ".join(filter(None, (step.line for step in steps)))


def _closed(actions: list[str]) -> list[str]:
    return actions if actions[-1] == "halt" else [*actions, "halt"]


def _several(groups: list[Group], most: int = 4) -> str:
    named = [f"{{unit:{g}}}" for g in groups[:most]]
    if len(groups) > most:
        named.append(f"{len(groups) - most} more")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def _guess(odds: float) -> tuple[str, str]:
    """Odds against an enemy whose strength is believed, not known: in words, and as a map shows them."""
    if odds > 50:
        return "over 50-1", "> 50-1"
    if odds < 0.05:
        return "under 0.1-1", "< 0.1-1"
    shown = f"{odds:.0f}-1" if odds >= 1.95 else f"{odds:.1f}-1"
    return f"about {shown}", f"≈ {shown}"


# ---------------------------------------------------------------------- what a position is worth

QUARTER_LEAD = 600.0
"""Lead in victory points that is worth a quarter of the scale: the greater this is, the less each point counts."""
TREND, WEEKS, SMOOTHING = 220.0, 25, 300.0
"""How many points the score will move for each e-fold of superior strength, when at least this many weeks are left; and
the strength added to both sides, so that ruins are not compared."""
ADVANCES = (
    (date(1941, 6, 22), date(1941, 9, 20), 53.0),
    (date(1941, 9, 21), date(1941, 12, 6), 6.0),
    (date(1942, 5, 3), date(1942, 8, 15), 27.0),
)
"""What the Axis gains a week, from the first day to the last, no matter which side is the stronger."""
SURVIVAL = 0.27
"""Share of the points for the months to come (9.1) that the Axis may count on: the Soviets take cities in the meantime.

All this was fitted to 90 games of planners in five scenarios. It tells a third of what still changes in a score, in the
first winter six parts in seven."""


def expectation(s: State) -> float:
    """How things stand for the Axis, from 0, a decisive defeat, to 1: by the score to be expected at the end."""
    lead = -float(victory.tally(s)["difference"])
    if s.goal is not None:
        return standing(s)
    if s.outcome is None:
        lead += victory.factor_of(s.rules) * _still_to_come(s)
    elif s.outcome.level == victory.axis_triumph(s.rules):
        return 1.0
    return 0.5 + atan(lead / QUARTER_LEAD) / pi


def _still_to_come(s: State) -> float:
    """Points that the Axis will probably gain until the end, before they are doubled."""
    left = range(s.turn, s.rules.turns + 1)
    ratio = log((strength(s, AXIS) + SMOOTHING) / (strength(s, SOVIET) + SMOOTHING))
    days = [s.rules.dates[turn - 1] for turn in left]
    advances = sum(points for first, last, points in ADVANCES for day in days if first <= day <= last)
    months = sum(victory.month_over(s.rules, turn) for turn in left) * int(s.rules.sheet["victory"]["month"])
    return TREND * min(1.0, len(left) / WEEKS) * ratio + advances + SURVIVAL * months


def strength(s: State, side: Side) -> int:
    """The strength points of a side's groups on the map, as far as they are known."""
    return sum(strength_of(s, g) for g in groups_of(side, MECHANIZED, INFANTRY) if s.hex[g] != OFF)


class Judge:
    """Judges a game with the eyes of one side, by what it may believe of the other."""

    def __init__(self, memory: SeatMemory) -> None:
        self.memory = memory

    def __call__(self, view: State) -> float:
        """How things seem to stand for the Axis; ``view`` holds what the side may see."""
        if view.outcome is not None:
            return expectation(view)
        self.memory.look(view)
        return expectation(self.memory.enemy.imagine(view, for_fights=False))
