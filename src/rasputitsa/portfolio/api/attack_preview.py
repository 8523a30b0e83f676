"""An attack before the die is cast: how its odds come about, and what each face brings, as plain JSON values."""

from __future__ import annotations

from typing import Any, Final

from rasputitsa.core.dice import DIE
from rasputitsa.core.marks import figured
from rasputitsa.portfolio.api.shapes import AttackPreview, Chance, ItemPlace, OddsItem
from rasputitsa.portfolio.api.shapes import Face as FaceShape
from rasputitsa.portfolio.model.combat import DESTROYED, DRIVEN_OUT, NO_EFFECT, Attack
from rasputitsa.portfolio.model.indices import Hex, Unit
from rasputitsa.portfolio.model.marks import unit_mark, units_marks
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat import outlook, resolution
from rasputitsa.portfolio.rules.combat.odds import Item, Odds, column_name, odds
from rasputitsa.portfolio.rules.combat.outlook import Face, Fate
from rasputitsa.portfolio.rules.combat.resolution import DIE_LOSES
from rasputitsa.portfolio.rules.combat.special_results import table_column

FOLLOW_UP: Final = ("no enemy is left there; the attackers may follow up", "XIII.A.4")


def attack_preview(s: State, targets: tuple[Hex, ...], units: tuple[Unit, ...]) -> AttackPreview:
    """An attack by these units on these hexes as it would go now; with the reason if it is not allowed.

    An announced attack is looked at as it stands: with those of its units that still can attack.
    """
    number = outlook.standing(s, targets, units)
    if number >= 0:
        attack = s.attacks[number]
        targets, units = resolution.forces(s, attack)
    else:
        attack = Attack(targets, units, 0, _amphibious(s, targets, units))
    found = odds(s, targets, units, attack.amphibious)
    follow_up = number >= 0 and not targets
    why = FOLLOW_UP if follow_up else (found.reason, found.rule) if found.reason else None
    why = why if number >= 0 else outlook.why_not(s, targets, units) or why
    names = s.rules.grid.names
    faces = [] if why else outlook.faces(s, attack, number)
    held = outlook.held(s, attack, number) if faces and outlook.orders_are_open(s) else []
    held = held if _differ(faces, held) else []
    return {
        "attack": found.attack,
        "defence": found.defence,
        "items": _items(s, found),
        "basic": column_name(s.rules, found.basic),
        "shifts": [
            _item(item, {"hex": names[target]})
            for target, items in zip(targets, found.shifts, strict=True)
            for item in items
        ],
        "columns": [
            {
                "hex": names[h.hex], "unit": s.rules.units[u].id, "dispersed": bool(s.dispersed >> u & 1),
                "column": column_name(s.rules, table_column(s, u, column)),
            }
            for h, column in zip(found.hexes, found.columns, strict=False)
            for u in h.units
        ],
        "final": column_name(s.rules, min(found.columns, default=found.basic)),
        "faces": _faces(s, faces, held),
        "chances": _chances(faces),
        "legal": why is None or follow_up,
        "reason": why[0] if why else "",
        "rule": why[1] if why else "",
    }  # fmt: skip


def _items(s: State, found: Odds) -> list[OddsItem]:
    names = s.rules.grid.names
    return [_item(item, {"side": "attack"}) for item in found.items] + [
        _item(item, {"side": "defence", "hex": names[h.hex]}) for h in found.hexes for item in h.items
    ]


def _item(item: Item, place: ItemPlace) -> OddsItem:
    return {**place, "text": item.text, "value": item.value, "rule": item.rule}


def _amphibious(s: State, targets: tuple[Hex, ...], units: tuple[Unit, ...]) -> bool:
    """Whether amphibious tanks are meant for this attack, announced or still being put together."""
    meant = [(attack.targets, attack.units) for attack in s.attacks if attack.amphibious]
    top: Any = s.stack[-1] if s.stack else None
    if getattr(top, "amphibious", False):
        meant.append((top.targets, top.units))
    return any(set(targets) == set(hexes) and set(units) == set(group) for hexes, group in meant)


def _differ(faces: list[Face], held: list[Face]) -> bool:
    """Whether "No Retreat!" orders would change any result."""
    return [[f.result for f in face.fates] for face in faces] != [[f.result for f in face.fates] for face in held]


def _chances(faces: list[Face]) -> list[Chance]:
    """How likely each result is for the attackers, in the order of the faces."""
    lows = [face.low for face in faces]
    return [{"result": low, "p": lows.count(low) / DIE} for low in dict.fromkeys(lows)]


# ---------------------------------------------------------------------- one face in words


def _faces(s: State, faces: list[Face], held: list[Face]) -> list[FaceShape]:
    """The faces, each with what is said only of the same face under "No Retreat!" orders."""
    told = [_told(s, face) for face in faces]
    ordered = [_told(s, face) for face in held] or [[]] * len(faces)
    return [
        _face(s, face, lines, [line for line in under if line not in lines])
        for face, lines, under in zip(faces, told, ordered, strict=True)
    ]


def _told(s: State, face: Face) -> list[str]:
    return [*(_say_fate(s, f) for f in face.fates), *_say_attackers(s, face)]


def _face(s: State, face: Face, told: list[str], under_orders: list[str]) -> FaceShape:
    ids = [unit.id for unit in s.rules.units]
    return {
        "die": face.die,
        "result": face.low,
        "units": [
            {
                "unit": ids[f.unit], "table": f.table, "result": f.result, "lost": f.lost, "reach": f.reach,
                "dicey": f.dicey, "may_leave": f.may_leave, "to": s.rules.grid.names_of(f.ways),
                "causes": [{"text": text, "rule": rule} for text, rule in f.causes],
            }
            for f in face.fates
        ],
        "lost": [ids[u] for u in face.lost],
        "choice": face.question,
        "owing": face.owing,
        "dispersed": [ids[u] for u in face.dispersed],
        "broken": [ids[u] for u in face.broken],
        "told": told,
        "under_orders": under_orders,
    }  # fmt: skip


def _say_fate(s: State, f: Fate) -> str:
    causes = "".join(f" ({text})" for text, _ in f.causes)
    return f"{unit_mark(s, f.unit)} {_fate_words(f)}{causes}"


def _fate_words(f: Fate) -> str:
    most = figured(f.reach, "hex", "hexes")
    far = most if f.reach == 1 else f"1 to {most}"
    may = f", and may retreat {far}" if f.may_leave else ""
    if f.lost or f.result in DESTROYED:
        return "is eliminated"
    if f.dicey:
        loses = f"{min(DIE_LOSES)} to {max(DIE_LOSES)}"
        return f"is eliminated by a further die of {loses}; else Dispersed and driven back up to {most}"
    if f.result == "D1":
        return f"must retreat {far}"
    if f.result in DRIVEN_OUT:
        return f"is Dispersed and driven back up to {most}, as the attacker likes"
    if f.result == "X":
        return "may be exchanged" + may
    if f.result == "S":
        return "holds and is Spent" + may
    return ("holds" if f.result in (NO_EFFECT, "AE", "AD") else f.result) + may


CHOICES = {
    "exchange_first": "the attacker may exchange units first",
    "exchange": "the defender chooses which units are exchanged",
}


def _say_attackers(s: State, face: Face) -> list[str]:
    defenders = {f.unit for f in face.fates}
    mine = [u for u in face.lost if u not in defenders]
    told = [CHOICES[face.question]] if face.question in CHOICES else []
    if mine:
        told.append(f"{units_marks(s, mine)} {'is' if len(mine) == 1 else 'are'} lost")
    if face.owing:
        told.append(f"attackers of {figured(face.owing, 'attack factor')} are lost, by the attacker's choice")
    if face.dispersed:
        leave = " unless the defenders leave" if any(f.may_leave for f in face.fates) else ""
        told.append(f"the attackers{' that remain' if mine or face.owing else ''} are Dispersed{leave}")
    elif face.broken:
        told.append(f"{units_marks(s, face.broken)} {'breaks' if len(face.broken) == 1 else 'break'} down: Dispersed")
    if face.low == "BR":
        told.append("breakthrough: the attackers may attack once more")
    return told
