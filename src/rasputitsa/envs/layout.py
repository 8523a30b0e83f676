"""What the numbers of observations and actions mean, as a short text that is kept with a policy.

A policy learned from one layout reads another one wrongly, and nothing fails: shapes may even be the same. So a program
that saves weights saves ``str(env.table.layout)``, and one that loads them asks ``env.table.layout.check(text)`` first.
"""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.core.errors import RasputitsaError


class LayoutError(RasputitsaError):
    """A policy was made for other observations or actions than those of an environment."""


class Layout(NamedTuple):
    """The layout of an environment's arrays.

    Examples:
        >>> layout = Layout("wir", 2, "8d3a", "e549")
        >>> str(layout)
        'wir observations-2-8d3a actions-e549'
        >>> layout.check("wir observations-1-77c0 actions-e549")
        Traceback (most recent call last):
        ...
        rasputitsa.envs.layout.LayoutError: it was made for observations 1-77c0 of wir; these are 2-8d3a
    """

    game: str
    version: int
    """Version of the observations; one more with each change of what a number in them means."""
    arrays: str
    """Digest of the names of all planes, columns and single numbers."""
    actions: str
    """Digest of the table of actions."""

    def __str__(self) -> str:
        return f"{self.game} observations-{self.version}-{self.arrays} actions-{self.actions}"

    def check(self, kept: str) -> None:
        """Refuse what was made for another layout; raises ``LayoutError`` that says what differs."""
        words = kept.split(" ")
        if len(words) != 3 or not (words[1].startswith("observations-") and words[2].startswith("actions-")):
            raise LayoutError(
                f"{kept!r:.80} names no layout of observations and actions: it was made before they were versioned, "
                "or for something else"
            )
        game, arrays, actions = words[0], words[1].removeprefix("observations-"), words[2].removeprefix("actions-")
        if game != self.game:
            raise LayoutError(f"it was made for {game}; this is {self.game}")
        if arrays != f"{self.version}-{self.arrays}":
            raise LayoutError(
                f"it was made for observations {arrays} of {game}; these are {self.version}-{self.arrays}"
            )
        if actions != self.actions:
            raise LayoutError(f"it was made for actions {actions} of {game}; these are {self.actions}")
