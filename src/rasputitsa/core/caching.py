"""How much is kept of what can be worked out again.

The decorators are those of ``functools`` with the signature left as it is: behind ``functools.cache`` a type checker
takes any arguments, and a wrong call goes unnoticed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

OPTION_SETS = 256
"""Rulesets, and what follows from each, that stay in memory. There are hundreds of thousands of sets of options to
choose from, and each takes some 100 kB: kept forever, strangers could fill the memory with them."""


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """Keep every answer of a function; for those of few arguments."""
    return cast("Callable[P, R]", functools.cache(function))


def cached_up_to(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep that many answers of a function, those used last."""

    def keep(function: Callable[P, R]) -> Callable[P, R]:
        return cast("Callable[P, R]", functools.lru_cache(most)(function))

    return keep


def kept_of_rules(function: Callable[P, R]) -> Callable[P, R]:
    """Keep answers of a function of a ruleset, or of the options it is made from."""
    return cached_up_to(OPTION_SETS)(function)
