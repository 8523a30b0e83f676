"""Refusals the server gives, each with a status, a short code and plain words."""

from __future__ import annotations

import math

from rasputitsa.server.shapes.refusals import Refusal, Refused
from rasputitsa.server.shapes.views import View


class ApiError(Exception):
    """A request that is refused; nothing was changed."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        rule: str = "",
        view: View | None = None,
        retry_after: int | None = None,
    ) -> None:
        """``retry_after``: seconds after which it may go better."""
        super().__init__(message)
        self.status, self.code, self.message, self.rule, self.view = status, code, message, rule, view
        self.retry_after = retry_after

    def to_json(self) -> Refusal:
        """The body of the answer."""
        error: Refused = {"code": self.code, "message": self.message, "rule": self.rule}
        if self.view is not None:
            error["view"] = self.view
        return {"error": error}


def bad_request(message: str) -> ApiError:
    """The request makes no sense."""
    return ApiError(400, "bad_request", message)


def unknown(code: str, message: str) -> ApiError:
    """There is no such thing."""
    return ApiError(404, code, message)


def forbidden(code: str, message: str) -> ApiError:
    """The caller may not do that."""
    return ApiError(403, code, message)


def conflict(code: str, message: str, view: View | None = None) -> ApiError:
    """The match is not where the caller thinks it is."""
    return ApiError(409, code, message, view=view)


def too_many(message: str, seconds: float, code: str = "too_many") -> ApiError:
    """The caller, or everybody together, asks too much; after some seconds it may go better."""
    return ApiError(429, code, message, retry_after=max(1, math.ceil(seconds)))


def retry_headers(problem: ApiError) -> dict[str, str]:
    """The header that says when to try again, if that is known."""
    return {} if problem.retry_after is None else {"retry-after": str(problem.retry_after)}


class BadAddressError(ValueError):
    """Nothing is ever sent to such an address; the text says why."""
