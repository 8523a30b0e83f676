"""Shapes of refusals."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rasputitsa.server.shapes.views import View


class Refused(TypedDict):
    """Why a request was refused."""

    code: str
    message: str
    rule: str
    view: NotRequired[View]


class Refusal(TypedDict):
    """The one form of every refusal."""

    error: Refused
