"""What a hint says of the answers to small questions, and why it gives them."""

from __future__ import annotations

BY_WAY = {
    "replace": "{unit} is built at {hex}", "reinforce": "{unit} comes from Siberia to {hex}",
    "rail": "{unit} goes by rail to {hex}", "sea": "{unit} sails to {hex}", "displace": "{unit} makes room: to {hex}",
    "place": "{unit} stands at {hex}",
}  # fmt: skip

WORDS = {
    ("retreat", "to"): "{unit} goes back to {hex}",
    ("retreat_length", "continue"): "{unit} goes on to a further hex",
    ("retreat_length", "halt"): "{unit} halts here",
    ("advance_step", "to"): "{unit} advances to {hex}",
    ("advance_step", "halt"): "{unit} halts here",
    ("moving", "halt"): "{unit} halts here",
}  # fmt: skip

NOTHING_MORE = {
    "no_retreat": "No unit is told to hold", "advance": "Nobody advances farther", "breakthrough": "No second attack",
    "airlift": "Nobody is supplied by air",
}  # fmt: skip
"""What it means to answer a small question by nothing, or nothing more."""

REASONS: dict[tuple[str, str], str] = {
    ("resolve", "resolve"): "Now attacks next to it still bar retreats from there; later more would escape.",
    ("resolve", "cancel"): "At these odds the attack costs more than it can bring.",
    ("window", "retreat"): "Where it stands the unit will probably be destroyed.",
    ("window", "stand"): "No unit here is in such danger that giving up the ground would pay.",
    ("no_retreat", "hold"): "The ground is worth more than what may be lost by holding it.",
    ("no_retreat", "done"): "No place here is worth the units that would be lost by holding it.",
    ("advance", "advance"): "The new place is nearer to what this side wants, or bars a retreat.",
    ("advance", "done"): "No unit improves its position by advancing.",
    ("advance_step", "to"): "Of the hexes in reach it is nearest to what this side wants, and safe enough.",
    ("advance_step", "halt"): "Farther on the unit would stand worse.",
    ("breakthrough", "attack"): "The units that broke through can strike again at odds that pay.",
    ("breakthrough", "join"): "It strengthens an attack that is still to come.",
    ("breakthrough", "done"): "No second attack pays.",
    ("retreat", "to"): "Supply, cover and distance are best there for one's own units, and worst for the enemy's.",
    ("may_retreat", "retreat"): "It would be worse off where it stands.",
    ("may_retreat", "stand"): "It is in no danger that would be worth the ground.",
    ("losses", "lose"): "Of the units that may be lost this one is worth least.",
    ("isolation", "lose"): "Of the units that may be lost this one is worth least.",
    ("overstack", "lose"): "Of the units that may be lost this one is worth least.",
    ("exchange", "exchange"): "Of the units that may be exchanged this one is worth least.",
    ("exchange", "decline"): "The exchange would cost more than it takes.",
    ("exchange_first", "exchange_first"): "The exchange takes more than it costs.",
    ("exchange_first", "refrain"): "The exchange would cost more than it takes.",
    ("airlift", "airlift"): "Without supply by air these units would begin to melt away.",
    ("airlift", "pass"): "No unit needs it badly enough.",
    ("stop", "stop"): "As things stand the game is won by stopping it.",
    ("stop", "continue"): "There is still something to gain.",
    ("pick", "pick"): "Every number is as good as the next.",
}  # fmt: skip
