"""What the OpenAPI document makes of typed dictionaries."""

from __future__ import annotations

import json
from typing import Any, Literal, NotRequired, TypedDict, get_type_hints

from pydantic import TypeAdapter

from rasputitsa.server.models import REFUSALS, Refusal, Refused
from rasputitsa.server.shapes import refusals
from rasputitsa.server.shapes.models import modelled


class Town(TypedDict):
    """A town."""

    name: str
    kind: Literal["city", "port"]


class Land(TypedDict):
    """A land."""

    towns: list[Town]
    by_name: dict[str, Town | None]
    anything: Any


_Road = TypedDict("_Road", {"from": str})


class Road(_Road):
    """A road, named by where it begins."""

    to: str


class Nothing(TypedDict):
    """It says nothing."""


class Empire(Land):
    """A land with a capital, maybe."""

    capital: NotRequired[Town]


def schema(shape: Any) -> dict[str, Any]:
    return TypeAdapter(modelled(shape)).json_schema()


def test_a_typed_dictionary_has_the_schema_of_a_dataclass() -> None:
    found = schema(Empire)
    assert (found["title"], found["description"]) == ("Empire", "A land with a capital, maybe.")
    assert list(found["properties"]) == ["towns", "by_name", "anything", "capital"]
    assert found["required"] == ["towns", "by_name", "anything"]
    town = {"$ref": "#/$defs/Town"}
    assert found["properties"]["towns"]["items"] == town
    assert found["properties"]["by_name"]["additionalProperties"] == {"anyOf": [town, {"type": "null"}]}
    assert {**found["properties"]["capital"], "default": None} == {**town, "default": None}
    assert found["$defs"]["Town"]["description"] == "A town."
    assert found["$defs"]["Town"]["properties"]["kind"]["enum"] == ["city", "port"]


def test_a_key_may_be_a_word_of_the_language() -> None:
    assert schema(Road)["required"] == ["from", "to"]


def test_where_nothing_is_said_nothing_may_stand() -> None:
    assert schema(Nothing)["additionalProperties"] is False


def test_a_shape_is_modelled_once() -> None:
    assert modelled(Town) is modelled(Town)


def test_other_types_stay_as_they_are() -> None:
    for shape in (str, Any, list[int], dict[str, Any], Literal["a"]):
        assert modelled(shape) == shape


def test_what_is_read_for_every_status_of_every_route_is_small() -> None:
    """Else the first request waits for seconds. It has the keys of the shape that refusals are made by."""
    models = {answer["model"] for answer in REFUSALS.values()}
    assert all(len(json.dumps(model.model_json_schema())) < 2000 for model in models)
    assert models == {Refusal} and Refused.model_fields.keys() == get_type_hints(refusals.Refused).keys()
