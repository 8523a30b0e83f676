"""A caller of a public method finds what it gives: a docstring of its own, or of a class it comes from."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import FunctionType

import rasputitsa


def classes() -> Iterator[type]:
    """Every class of the package, in the module that defines it."""
    for info in pkgutil.walk_packages(rasputitsa.__path__, "rasputitsa."):
        if "migrations" in info.name or info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        yield from (c for c in vars(module).values() if inspect.isclass(c) and c.__module__ == info.name)


def without(cls: type) -> Iterator[str]:
    """The public methods and properties of a class that are described neither there nor in a base class."""
    for name, member in vars(cls).items():
        method = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        method = getattr(method, "func", method)  # a cached property
        if not isinstance(method, FunctionType) or method.__module__ != cls.__module__:
            continue
        private = name[0] == "_" or method.__name__ == "<lambda>"
        if not private and not any(getattr(vars(base).get(name), "__doc__", None) for base in cls.__mro__):
            yield f"{cls.__module__}.{cls.__qualname__}.{name}"


def test_every_public_method_has_a_docstring() -> None:
    assert [name for cls in classes() for name in without(cls)] == []


def test_a_method_without_a_docstring_would_be_found() -> None:
    class Silent:
        def speak(self) -> str:
            return ""

    class Heir(Silent):
        def speak(self) -> str:
            """Nothing."""
            return ""

    assert [name.rpartition(".")[2] for name in without(Silent)] == ["speak"]
    assert list(without(Heir)) == []
