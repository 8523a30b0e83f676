"""The Russian Portfolio: a plan in words and arrows, and what a position is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rasputitsa.ai.advice.hint import Hint, PlanExplainer, Step, Thought
from rasputitsa.ai.advice.shapes import StepKind
from rasputitsa.ai.players import Clock, Player, TimedClock
from rasputitsa.ai.portfolio.advice.words import BY_WAY, NOTHING_MORE, REASONS, WORDS
from rasputitsa.ai.portfolio.evaluation import lesson
from rasputitsa.ai.portfolio.evaluation.crt_expectation import Stakes
from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.ai.portfolio.evaluation.targets import Arena
from rasputitsa.ai.portfolio.evaluation.valuation import valuation_of
from rasputitsa.ai.portfolio.search.lines import analyse, ranked
from rasputitsa.ai.portfolio.search.player import SearchPlayer
from rasputitsa.ai.portfolio.search.value import axis_chance
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.lessons.goal import share
from rasputitsa.core.marks import figured
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.attack_preview import attack_preview
from rasputitsa.portfolio.model.combat import DESTROYED, MUST_RETREAT, OPEN
from rasputitsa.portfolio.model.goal import Goal
from rasputitsa.portfolio.model.indices import Hex, Unit
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SIDES
from rasputitsa.portfolio.rules.combat.breakthrough import BuildBreakthrough
from rasputitsa.portfolio.rules.combat.eligibility import mask_of
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.movement.movement import Moving
from rasputitsa.portfolio.rules.movement.route import leg

OPERATIONS = frozenset({"movement", "moving", "attack", "build_attack", "reduce"})
STAFF = frozenset({"replacement", "replace", "reinforce", "rail", "sea", "reduce", "displace", "displace_to"})
SETTING_UP = frozenset({"deployment", "deploying"})
ADVANCES = frozenset({"advance", "advance_step"})
RETREATS = frozenset({"retreat", "retreat_length"})
BREAKTHROUGHS = frozenset({"breakthrough", "build_attack"})

LEAVES = (*MUST_RETREAT, *DESTROYED)
LOST = ("AE",)
ARRIVING = ("replace", "reinforce", "rail", "sea", "displace", "place")
WEIGHING = 3.0
"""Seconds that trying out the answers to a small question may take."""
MOST_WEIGHED = 12
CLEAR_ADVANTAGE = 0.03
"""How much greater the chance to win must be after another answer for that one to be given: less is chance."""


def expectation(s: State) -> float:
    """How likely the Axis is to win from here; in a lesson, how much of its goal is reached."""
    if s.outcome is None and s.goal is not None:
        return _of_goal(s)
    return axis_chance(s)


def _of_goal(s: State) -> float:
    from rasputitsa.portfolio.rules.turn import goal

    assert s.goal is not None
    reached = 0.0 if goal.out_of_reach(s, s.goal) else 0.1 + 0.8 * share(goal.parts(s, s.goal))
    return reached if s.goal.side == AXIS else 1 - reached


def weighed(
    game: Game[Any], view: State, decision: Decision, thoughts: list[Thought], clock: Clock, player: Player
) -> tuple[list[Thought], list[str]]:
    """A small question tried out in simulation: the answer, another one if that is clearly better, and the outlook.

    Of a plan of operations: what it was chosen over. In a lesson trials would end before the goal is decided, and
    answers that they prefer reach it less often.
    """
    if view.goal is not None:
        return thoughts, []
    if decision.kind in OPERATIONS:
        return thoughts, compared(player)
    if decision.kind in STAFF | SETTING_UP or len(decision.options) < 2:
        return thoughts, []
    short = TimedClock(min(WEIGHING, clock.left()), lambda: clock.left() <= 0, clock.report)
    lines = analyse(game, view, decision.seat, short, MOST_WEIGHED)
    chances = {line.actions[0]: (1 + line.value) / 2 for line in lines}
    action = game.format(view, thoughts[0].action)
    if action not in chances:
        return thoughts, []
    best = max(chances, key=lambda name: chances[name])
    if chances[best] > chances[action] + CLEAR_ADVANTAGE:
        (other,) = game.parse(view, best)
        thoughts, action = [Thought(decision, view, other, None)], best
    words = [f"In simulation it leaves your side with {figured(round(100 * chances[action]), 'chance')} in 100."]
    others = sorted((name for name in chances if name != action), key=lambda name: -chances[name])
    if others:
        (second,) = game.parse(view, others[0])
        label = named(game, view, decision, second)
        chance = chances[others[0]]
        close = chances[action] - chance < CLEAR_ADVANTAGE
        words.append(f"About as good: {label}." if close else f"Next best: {label}, {100 * chance:.0f} in 100.")
    return thoughts, words


def ends(decision: Decision, action: Action) -> bool:
    """Whether a small question is answered by nothing, or nothing more."""
    return decision.kind in NOTHING_MORE and action.verb in ("done", "pass")


def named(game: Game[Any], view: State, decision: Decision, action: Action) -> str:
    """An answer to a small question in a few words."""
    if ends(decision, action):
        return NOTHING_MORE[decision.kind]
    form = WORDS.get((decision.kind, action.verb), "")
    if decision.units and form and "{hex}" not in form:
        return form.format(unit=f"{{unit:{decision.units[0]}}}")
    return game.label(view, action)


def compared(player: Player) -> list[str]:
    """What the search came to that found a plan, and the next best plan."""
    if not isinstance(player, SearchPlayer) or player.race is None:
        return []
    lines = ranked(player.race, 2)
    return [line.reason if line is lines[0] else f"Next best plan: {line.reason}" for line in lines]


def bars_retreats(s: State, number: int) -> bool:
    """XIII.D.4.e: whether attacks still to be resolved lie next to one, by its number, and so bar retreats from it."""
    others = mask_of(h for n, a in enumerate(s.attacks, 1) if n != number and a.state == OPEN for h in a.targets)
    return bool(s.rules.grid.spread(mask_of(s.attacks[number - 1].targets)) & others)


class PortfolioPlanExplainer(PlanExplainer):
    """Moves, attacks and the staff work of a phase in words."""

    phases = (OPERATIONS, STAFF, SETTING_UP, ADVANCES, RETREATS, BREAKTHROUGHS)
    roots = frozenset({"movement", "attack", "breakthrough"}) | STAFF | SETTING_UP | ADVANCES | RETREATS

    def __init__(self, game: Game[Any], view: State, decision: Decision) -> None:
        super().__init__(game, view, decision)
        rules = view.rules
        self.names = rules.grid.names
        self.ids = [unit.id for unit in rules.units]
        self.side = SIDES.index(decision.side)

    def assumed(self, decision: Decision) -> Action | None:
        """The defender stands when the attacks are about to be announced."""
        stand = Action("stand_all")
        return stand if decision.kind == "window" and stand in decision.options else None

    def goes_on(self, thought: Thought, following: Decision) -> bool:
        if thought.decision.kind == "movement" and thought.action.verb == "done":
            return following.kind == "attack"
        return super().goes_on(thought, following)

    def explain(self, thoughts: list[Thought]) -> Hint:
        kind = thoughts[0].decision.kind
        if kind in OPERATIONS and kind != "build_attack":
            return self.operations(thoughts)
        if kind in STAFF | SETTING_UP:
            return self.staff(thoughts)
        if kind == "breakthrough":
            return self.second_attack(thoughts)
        found = super().explain(thoughts)
        found.steps = self.advances(thoughts) if kind in ADVANCES else [self.mark(thoughts[0])]
        verb, args = thoughts[0].action
        reason = REASONS.get((self.decision.kind, verb))
        if reason and (verb != "resolve" or bars_retreats(self.view, args[0])):
            found.reasons.append(reason)
        found.headline = found.steps[0].text if found.steps else found.label
        return found

    def mark(self, thought: Thought) -> Step:
        s: State = thought.before
        step = super().mark(thought)
        form = WORDS.get((thought.decision.kind, thought.action.verb))
        about = [self.ids.index(unit) for unit in thought.decision.units if unit in self.ids]
        if form and about:
            step.text = form.format(unit=self.several(about), hex=f"{{hex:{step.path[0]}}}" if step.path else "")
            step.units = [self.ids[u] for u in about]
        if ends(thought.decision, thought.action):
            step.text = NOTHING_MORE[thought.decision.kind]
        if step.path and about and s.pos[about[0]] >= 0:
            step.path = [self.names[s.pos[about[0]]], *step.path]
            step.kind = "move"
        if thought.action.verb in ("resolve", "cancel"):
            attack = s.attacks[thought.action.args[0] - 1]
            step = self.fight(s, attack)
            what = "Fight" if thought.action.verb == "resolve" else "Call off"
            step.text = f"{what} the attack of {self.several(attack.units)} on {self.targets(attack)}"
        return step

    def advances(self, thoughts: list[Thought]) -> list[Step]:
        """Each unit with the way it advances; first the one that is asked about, if it halts."""
        halts = [self.mark(thoughts[0])] if thoughts[0].action.verb == "halt" else []
        steps: list[Step] = []
        for thought in thoughts:
            verb, args = thought.action
            s: State = thought.before
            if verb == "advance":
                steps.append(Step("move", "", [self.ids[args[0]]], [self.names[s.pos[args[0]]]]))
            elif verb == "to":
                if not steps:
                    unit = self.ids.index(thought.decision.units[0])
                    steps.append(Step("move", "", [self.ids[unit]], [self.names[s.pos[unit]]]))
                steps[-1].path.append(self.names[args[0]])
            if verb == "advance" and thought.after is not None and thought.after.pos[args[0]] != s.pos[args[0]]:
                steps[-1].path.append(self.names[thought.after.pos[args[0]]])  # there was no choice
        for step in steps:
            step.text = f"{{unit:{step.units[0]}}} advances to {{hex:{step.path[-1]}}}"
        return halts + [step for step in steps if len(step.path) > 1] or [self.mark(thoughts[0])]

    # -- words -----------------------------------------------------------------------------------------

    def unit(self, unit: Unit) -> str:
        """A unit as the log marks it."""
        return f"{{unit:{self.ids[unit]}}}"

    def hex(self, hex_: Hex) -> str:
        """A hex as the log marks it."""
        return f"{{hex:{self.names[hex_]}}}"

    def several(self, units: Sequence[Unit], most: int = 3) -> str:
        """Some units, the first of them by name."""
        named = [self.unit(u) for u in units[:most]]
        if len(units) > most:
            named.append(f"{len(units) - most} more")
        return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"

    # -- movement and attacks --------------------------------------------------------------------------

    def operations(self, thoughts: list[Thought]) -> Hint:
        """Moves and the attacks they prepare."""
        start: State = thoughts[0].before
        last: State = next((t.after for t in reversed(thoughts) if t.after is not None), start)
        known = len(start.attacks)
        fights = [self.fight(last, attack) for attack in last.attacks[known:]]
        striking = {unit for attack in last.attacks for unit in attack.units}
        moves = [self.move(start, last, unit, unit in striking) for unit in self.moved(thoughts, last)]
        self.show_ways_round(thoughts, moves)
        attacking = thoughts[0].decision.kind == "attack"
        for step in moves if not attacking else fights:
            step.line = self.line(step)
        action, label = self.first(thoughts)
        found = Hint("", self.headline(fights, moves), action, label, self.cut_off(start, last), [*fights, *moves])
        self.about_hand(found, moves, fights)
        return found

    def moved(self, thoughts: list[Thought], last: State) -> list[Unit]:
        """The units that end elsewhere, in the order in which they set out."""
        start: State = thoughts[0].before
        order = [u for t in thoughts if t.action.verb in ("move", "with") for u in t.action.args]
        return [u for u in dict.fromkeys(order) if last.pos[u] >= 0 and last.pos[u] != start.pos[u]]

    def first(self, thoughts: list[Thought]) -> tuple[str, str]:
        """The answer to the question at hand: of the plan's first one, if that is what was asked."""
        action, state = thoughts[0].action, thoughts[0].before
        if action not in self.decision.options:
            action, state = self.decision.options[0], self.view
        return self.game.format(state, action), self.game.label(state, action)

    def targets(self, attack: Any) -> str:
        """The hexes that an attack is on."""
        return " and ".join(self.hex(h) for h in attack.targets)

    def fight(self, s: State, attack: Any) -> Step:
        """An attack with its odds."""
        found = attack_preview(s, attack.targets, attack.units)
        throws = {c["result"]: round(6 * c["p"]) for c in found["chances"]}
        out = sum(throws.get(name, 0) for name in LEAVES)
        lost = sum(throws.get(name, 0) for name in LOST)
        attacks = "attacks" if len(attack.units) == 1 else "attack"
        words = f"{self.several(attack.units)} {attacks} {self.targets(attack)}"
        throws_out = "every throw drives" if out == 6 else f"{out} of 6 throws {'drives' if out == 1 else 'drive'}"
        losing = f", {lost} {'loses' if lost == 1 else 'lose'} the attackers" if lost else ""
        why = [f"{throws_out} the defenders out{losing}"]
        why += [reason for hex_ in attack.targets for reason in self.prizes(s, hex_, attack)]
        return Step(
            "attack", words, units=[self.ids[u] for u in attack.units], why="; ".join(why), odds=found["final"],
            origins=list(dict.fromkeys(self.names[s.pos[u]] for u in attack.units if s.pos[u] >= 0)),
            targets=[self.names[h] for h in attack.targets], chance=round(out / 6, 3),
        )  # fmt: skip

    def second_attack(self, thoughts: list[Thought]) -> Hint:
        """What follows a breakthrough, an attack as it would be put together."""
        (verb, args), s = thoughts[0].action, thoughts[-1].before
        frame = s.stack[-1]
        if isinstance(frame, BuildBreakthrough) and frame.units:
            step = self.fight(s, frame)
            text = f"{step.text} at {step.odds}"
        elif verb == "join":
            attack = s.attacks[args[1] - 1]
            step = self.fight(s, attack._replace(units=(*attack.units, args[0])))
            text = f"{self.unit(args[0])} joins the attack on {self.targets(attack)}"
        else:
            step = self.mark(thoughts[0])
            text = step.text
        found = Hint("", text, *self.first(thoughts), [REASONS["breakthrough", verb]], [step])
        self.about_hand(found, [], [step] if verb == "attack" else [])
        return found

    def prizes(self, s: State, hex_: Hex, attack: Any) -> list[str]:
        """What makes a hex worth attacking."""
        found = []
        place = s.rules.map.places.get(hex_)
        if s.goal is not None:
            found += self.asked(s, s.goal, hex_)
        elif place is not None and place.victory:
            found.append(f"{place.name} is a victory city")
        elif place is not None and place.factory:
            found.append(f"{place.name} builds tanks")
        arena = Arena(s, self.side, Stakes(), [0.0] * s.rules.grid.size, only=1 << hex_)
        target = arena.targets.get(hex_)
        if target is not None:
            origins = sum({1 << s.pos[u] for u in attack.units if s.pos[u] >= 0})
            others = sum({1 << h for a in s.attacks for h in a.targets} - {1 << hex_})
            zone = s.rules.grid.spread(s.active[self.side])
            depth = arena.depth(target, origins, s.occ[self.side], zone, others)
            if depth < 2:
                found.append("the defenders have no way out")
        if all(s.dispersed >> u & 1 for u in s.at.get(hex_, ())):
            found.append("they are Dispersed")
        return found

    def asked(self, s: State, goal: Goal, hex_: Hex) -> list[str]:
        """What the goal of a lesson has to do with a hex that is attacked."""
        found = []
        mine = self.side == goal.side
        if (goal.hold | goal.clear) >> hex_ & 1:
            found.append(f"{'the goal' if mine else 'the goal of the enemy'} asks for {self.hex(hex_)}")
        for unit in s.at.get(hex_, ()):
            if (goal.remove if mine else goal.keep) >> unit & 1:
                found.append(f"{'the goal is about' if mine else 'the enemy needs'} {self.unit(unit)}")
        return found

    def move(self, start: State, last: State, unit: Unit, fights: bool) -> Step:
        """A move and what it is for."""
        a, b = start.pos[unit], last.pos[unit]
        knowledge = knowledge_of(start.rules)
        enemy = last.occ[1 - self.side]
        where = self.hex(b)
        if fights:
            text = f"{self.unit(unit)} goes to attack from {where}"
        elif (lesson.places(start) >> b & 1) if start.goal else (b in knowledge.victory or b in knowledge.soviet_goals):
            text = f"{self.unit(unit)} garrisons {where}"
        elif start.rules.grid.spread(1 << b) & enemy:
            text = f"{self.unit(unit)} holds the line at {where}"
        else:
            pull = valuation_of(start, self.side).pull
            text = f"{self.unit(unit)} {'falls back' if pull[b] < pull[a] else 'moves up'} to {where}"
        return Step("move", text, units=[self.ids[unit]], path=[self.names[a], self.names[b]])

    def show_ways_round(self, thoughts: list[Thought], moves: list[Step]) -> None:
        """Name every hex of a way round to the next hex, which without them would read as one step."""
        path_of = {step.units[0]: step.path for step in moves}
        for t in thoughts:
            frame = t.before.stack[-1] if t.action.verb == "to" else None
            if not isinstance(frame, Moving):
                continue
            hexes = leg(t.before, frame.moving_stack(t.before), t.action.args[0]).hexes
            if len(hexes) < 3 or hexes[-1] not in self.view.rules.grid.neighbours[hexes[0]]:
                continue
            way = [self.names[h] for h in hexes]
            for unit in frame.units:
                if path_of.get(self.ids[unit]) == [way[0], way[-1]]:
                    path_of[self.ids[unit]][1:-1] = way[1:-1]

    def line(self, step: Step) -> str:
        """The notation that carries a step out, if it is the phase for it."""
        if step.kind == "attack":
            return f"attack {'+'.join(step.targets)}: {','.join(step.units)}"
        return f"move {step.units[0]} {'-'.join(step.path)}"

    def headline(self, fights: list[Step], moves: list[Step]) -> str:
        """The plan in one line."""
        walk = f"move {len(moves)} {'unit' if len(moves) == 1 else 'units'}" if moves else ""
        if not fights:
            text = walk or "leave everything as it is"
            return f"{text[0].upper()}{text[1:]}{', and attack nowhere' if moves else ''}"
        places = " and ".join(f"{{hex:{h}}}" for h in fights[0].targets)
        blow = f"attack {places}" if len(fights) == 1 else f"attack in {len(fights)} places, above all {places}"
        text = f"{walk}; {blow}" if walk else blow
        return f"{text[0].upper()}{text[1:]} at {fights[0].odds}"

    def cut_off(self, start: State, last: State) -> list[str]:
        """Enemy units that the moves cut off from supply, and own ones they leave without."""
        enemy = 1 - self.side
        found = []
        cut = supply.unsupplied_units(last, enemy) & ~supply.unsupplied_units(start, enemy)
        if cut:
            found.append(f"The moves cut {self.several(members(cut))} off from supply.")
        left = supply.unsupplied_units(last, self.side) & ~supply.unsupplied_units(start, self.side)
        if left:
            found.append(f"{self.several(members(left))} will be out of supply.")
        return found

    def about_hand(self, found: Hint, moves: list[Step], fights: list[Step]) -> None:
        """If a unit or an attack is in hand already, the answer is about that."""
        options = {self.game.format(self.view, action): action for action in self.decision.options}
        if self.decision.kind == "moving":
            held = self.decision.units[0]
            mine = [step for step in moves if step.units == [held]]
            wanted = f"to {mine[0].path[-1]}" if mine else next((w for w in ("back", "halt") if w in options), "")
            found.headline = mine[0].text if mine else f"{{unit:{held}}} had better stay where it is"
            found.steps = [*mine, *(step for step in found.steps if step not in mine)]
        elif self.decision.kind == "build_attack":
            targets = set(self.decision.hexes)
            mine = [step for step in fights if set(step.targets) == targets]
            joining = [f"with {u}" for step in mine for u in step.units if f"with {u}" in options]
            extra = [o for o in options if o.startswith("without ") and mine and o.split()[1] not in mine[0].units]
            wanted = next(iter([*extra, *joining, "ready"])) if mine else "drop"
            found.headline = (
                f"{mine[0].text} at {mine[0].odds}" if mine else "This attack had better not be made with these units"
            )
            found.steps = [*mine, *(step for step in found.steps if step not in mine)]
        else:
            return
        for step in found.steps:
            step.line = ""
        if wanted in options:
            found.action, found.label = wanted, self.game.label(self.view, options[wanted])

    # -- staff work ------------------------------------------------------------------------------------

    def staff(self, thoughts: list[Thought]) -> Hint:
        """Units that come in, travel, or are set up."""
        steps: list[Step] = []
        held: tuple[str, int] | None = None
        if thoughts[0].decision.kind not in ("replacement", "deployment") and self.decision.units:
            held = thoughts[0].decision.kind, self.ids.index(self.decision.units[0])
        for thought in thoughts:
            verb, args = thought.action
            if verb in ARRIVING:
                held = verb, args[0]
            elif verb == "at" and held is not None:
                steps.append(self.arrival(thought.before, held[0], held[1], args[0]))
            elif verb not in ("done", "back"):
                steps.append(self.mark(thought))
        for step in steps:
            if thoughts[0].decision.kind == "replacement" and step.units and step.path:
                step.line = f"{step.why} {step.units[0]} at {step.path[-1]}"
            step.why = ""
        action, label = self.first(thoughts)
        text = f"{steps[0].text}" if steps else "Nothing more to order in this phase"
        if len(steps) > 1:
            text += f", and {len(steps) - 1} more {'order' if len(steps) == 2 else 'orders'}"
        return Hint("", text, action, label, [], steps)

    def arrival(self, s: State, verb: str, unit: Unit, hex_: Hex) -> Step:
        """A unit on its way to a hex."""
        here = s.pos[unit]
        path = [self.names[h] for h in (here, hex_) if h >= 0]
        form = BY_WAY.get({"deploying": "place", "displace_to": "displace"}.get(verb, verb), "{unit}: {hex}")
        text = form.format(unit=self.unit(unit), hex=self.hex(hex_))
        kind: StepKind = "rail" if verb in ("rail", "sea") else "mark"
        return Step(kind, text, units=[self.ids[unit]], path=path, why=verb)
