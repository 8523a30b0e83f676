"""Whether a value that was read from a file of results is what was written there."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError


def misfit(kind: TypeAdapter[Any], value: object) -> str:
    """The first field that is of another kind, and what is wrong with it; empty if all fits."""
    try:
        kind.validate_json(json.dumps(value), strict=True)  # as JSON a table may stand for a dataclass
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"{'.'.join(map(str, first['loc']))[:80]}: {first['msg']}"
    return ""
