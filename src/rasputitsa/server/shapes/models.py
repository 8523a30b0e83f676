"""Dataclasses made of the typed dictionaries in which games and server speak.

Pydantic reads ``typing.TypedDict`` from Python 3.12 on only, and the engine imports the standard library alone.
"""

from __future__ import annotations

from dataclasses import field, make_dataclass
from functools import reduce
from keyword import iskeyword
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import ConfigDict, Field

from rasputitsa.core.caching import cached

OPEN = (Annotated, Literal)
"""Types whose arguments are no types, or not all of them."""


def modelled(shape: Any) -> Any:
    """A type with a dataclass in the place of each typed dictionary in it, however deep."""
    if is_typeddict(shape):
        return _model(shape)
    origin, args = get_origin(shape), get_args(shape)
    if not args or origin in OPEN:
        return shape
    inner = tuple(map(modelled, args))
    return reduce(or_, inner) if origin in (Union, UnionType) else origin[inner]


@cached
def _model(shape: type) -> type:
    """The dataclass with the keys of a typed dictionary as its fields; a key that may be missing has a default. Where
    there are none, nothing else may stand either."""
    fields: list[Any] = []
    for key, hint in get_type_hints(shape, include_extras=True).items():
        optional = get_origin(hint) is NotRequired
        inner = modelled(*get_args(hint)) if optional else modelled(hint)
        name, inner = (f"{key}_", Annotated[inner, Field(alias=key)]) if iskeyword(key) else (key, inner)
        fields.append((name, inner, field(default=None)) if optional else (name, inner))
    namespace: dict[str, Any] = {"__doc__": shape.__doc__}
    if not fields:
        namespace["__pydantic_config__"] = ConfigDict(extra="forbid")
    made = make_dataclass(shape.__name__, fields, kw_only=True, namespace=namespace)
    made.__module__ = shape.__module__
    return made
