"""Air groups: fields within reach of the front, strikes for the attacks on the ground, and strikes of their own."""

from __future__ import annotations

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.assault import Assault, Attack
from rasputitsa.ai.wir.planning.order_list import OrderList
from rasputitsa.ai.wir.planning.strategic_moves import march, ways
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import Group, Hex, PlotNumber, Side
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import AIR, groups_of
from rasputitsa.wir.rules.execution import air as air_combat
from rasputitsa.wir.rules.execution import casualties
from rasputitsa.wir.rules.movement import air_plots, strategic_move

CLOSE = 2
"""Fields this near to the enemy are dangerous."""
FIELDS, ALONE, UNESCORTED, EXPOSED = 3, 0.3, 0.7, 0.3
"""What a field is worth: by this many targets, less those beyond the army's reach, without escort, or in danger."""
BETTER, MOVE = 1.3, 8.0
"""How much more another field must be worth: a group that moves does not strike that week."""
FEW = 12
"""Groups with fewer aircraft stay at home."""
AIRCRAFT = 2.0
"""What an aircraft point is worth in points of combat strength."""
TRAINS = 2
"""Trains a week that air groups may have before others."""
MIN_STRIKE_VALUE = 1.0
"""The least value of a strike, in points of combat strength."""
WEAR = 0.3
"""What the fatigue that a strike brings is worth, in parts of the strength it concerns."""


class AirPlanner:
    """Plans the air groups of a side."""

    def __init__(self, order_list: OrderList, side: Side, situation: Situation, assault: Assault) -> None:
        self.order_list = order_list
        self.side = side
        self.situation = situation
        self.assault = assault
        self.strikes: dict[Group, PlotNumber] = {}
        self.target_values: dict[Hex, float] = {}
        self.effect = air_combat.expected_effect(self.s, side)
        """Share of a bomb's full effect that may be expected."""

    @property
    def s(self) -> State:
        """The position after the orders so far."""
        return self.order_list.s

    # ------------------------------------------------------------------ strikes

    def support(self) -> None:
        """Choose a target for each air group: the attack that gains most by it, or whom it hurts most."""
        s = self.s
        for group in s.on_map(groups_of(self.side, AIR)):
            if not air_plots.may_strike(s, group) or s.aircraft[group] < FEW:
                continue
            reach = air_plots.ground_targets(s, group)
            attacks = {attack.target: attack for attack in self.assault.attacks if attack.defence}
            points = s.aircraft[group] * self.effect
            best, choice = MIN_STRIKE_VALUE, -1
            for target in members(reach):
                value = self._gain(attacks[target], points) if target in attacks else self._harm(target, points)
                value -= self._price(group, target)
                if value > best:
                    best, choice = value, target
            if choice >= 0:
                self.strikes[group] = choice
                air = self.assault.air
                air[choice] = air.get(choice, 0.0) + points

    def _gain(self, attack: Attack, points: float) -> float:
        """What a strike adds to the value of an attack."""
        starts = []
        for group, plot in attack.plots.items():
            here = self.s.hex[group]
            if attack.segment == 1 and plot.first:
                here = self.s.rules.map.step[here][plot.first]
            starts.append((group, here))
        now = self.assault.weigh(attack.target, starts, attack.segment).value
        air = self.assault.air
        before = air.get(attack.target, 0.0)
        air[attack.target] = before + points
        then = self.assault.weigh(attack.target, starts, attack.segment).value
        air[attack.target] = before
        return then - now

    def _harm(self, target: Hex, points: float) -> float:
        """The strength that a strike destroys and tires (7.1)."""
        share = min(1.0, casualties.blast_effect(self.s, points) / 100)
        return self.situation.exposed(target) * share * (1 + WEAR)

    def _price(self, group: Group, target: Hex) -> float:
        """The aircraft that a strike may cost, by flak and by those who meet it, less those it shoots down (7.1)."""
        s = self.s
        escort = air_combat.escorted(s, group, target)
        raid = air_combat.Raid(group, self.side, target, air_plots.GROUND, escort)
        met = sum([points for _, points in air_combat.interceptors(s, raid)])
        lost, inflicted = air_combat.expected_losses(s, self.side, s.aircraft[group], met, escort=escort)
        return AIRCRAFT * (lost - inflicted)

    # ------------------------------------------------------------------ fields

    def rebase(self) -> None:
        """Air groups that do not strike look for a better field: by train, before others take the trains, or hex by
        hex."""
        s, left = self.s, TRAINS
        self.target_values = {h: self._target_value(h) for h in members(self.situation.enemy_combat)}
        for group in sorted(s.on_map(groups_of(self.side, AIR)), key=lambda g: (-s.aircraft[g], g)):
            if group in self.strikes or s.hex[group] == OFF or s.halted >> group & 1:
                continue
            least = BETTER * self._worth(s.hex[group]) + MOVE
            line = strategic_move.rail_targets(s, group) if left and strategic_move.rail_moves_left(s, self.side) else 0
            field = max(members(line), key=lambda h: (self._worth(h), -h), default=-1)
            if field >= 0 and self._worth(field) > least:
                left -= self.order_list.orders(group) and self.order_list.give("railmove", field)
            else:
                self._march(group, least)
        self.order_list.put_down()

    def _target_value(self, hex_: Hex) -> float:
        """What a strike on a hex may hurt; it counts in full where the army can strike as well."""
        held = self.situation.defence(hex_, 1 - self.side)
        near = min(1.0, self.situation.threat(hex_, self.side) / held) if held else 0.0
        stock = sum(self.situation.stock.get(g, 0.0) for g in self.s.at[hex_])
        return stock * (ALONE + (1 - ALONE) * near)

    def _worth(self, field: Hex) -> float:
        """What can be struck from a field: the best few hexes in range, those with escort before others."""
        grid, rules = self.s.rules.grid, self.s.rules.raids
        values = []
        for hex_, value in self.target_values.items():
            far = grid.distance(field, hex_)
            if far <= rules.range[self.side]:
                values.append(value if far <= rules.escort else UNESCORTED * value)
        found = sum(sorted(values)[-FIELDS:]) / FIELDS
        return found if self.situation.to_enemy[field] > CLOSE or self._guarded(field) else found * EXPOSED

    def _march(self, group: Group, least: float) -> None:
        found = ways(self.s, group)
        near = self.situation.to_enemy
        end = max(found, key=lambda h: (self._worth(h), -near[h], -len(found[h])))
        closer = near[end] < near[self.s.hex[group]] and near[end] > CLOSE
        if (self._worth(end) > least or (not self._worth(end) and closer)) and self.order_list.orders(group):
            march(self.order_list, group, found[end])

    def _guarded(self, here: Hex) -> bool:
        """Whether the ground groups around make the field safe."""
        held = self.situation.defence(here, self.side)
        return held > 0.5 * self.situation.threat(here, 1 - self.side)

    def fly(self) -> None:
        """Give the orders to strike."""
        for group, target in sorted(self.strikes.items()):
            if self.order_list.orders(group):
                self.order_list.give("ground", target)
        self.order_list.put_down()
