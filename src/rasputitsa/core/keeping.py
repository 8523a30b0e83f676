"""How much is kept of what can be worked out again."""

from __future__ import annotations

from functools import lru_cache

OPTION_SETS = 256
"""Rulesets, and what follows from each, that stay in memory. There are hundreds of thousands of sets of options to
choose from, and each takes some 100 kB: kept for ever, strangers could fill the memory with them."""

kept_of_rules = lru_cache(maxsize=OPTION_SETS)
"""For functions of a ruleset, or of the options it is made from."""
