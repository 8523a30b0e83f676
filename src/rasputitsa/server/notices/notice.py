"""What a notice says, whatever way it goes."""

from __future__ import annotations

from dataclasses import dataclass

PUSH = "push"
MAX_ADDRESS = 500


class DeliveryError(Exception):
    """It was not delivered; ``for_good``: it is no use to try again."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice: a line, and where a browser finds more.

    ``stop`` is the way to stop notices, and ``one_click`` that of mail programs; ``question``: its reader is
    asked for consent to notices.
    """

    text: str
    link: str
    stop: str
    one_click: str = ""
    question: bool = False
