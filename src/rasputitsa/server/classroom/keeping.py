"""The end of classes: when their teacher deletes them, or when nothing has happened in them for long."""

from __future__ import annotations

import logging

from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches.rooms import Rooms
from rasputitsa.server.store import StoreError, UnknownMatchError

log = logging.getLogger(__name__)


async def remove_class(rooms: Rooms, class_id: str) -> list[int]:
    """Delete a class with all that belongs to it; gives its matches. What an end in the middle leaves is done later."""
    numbers = [match.row.id for match in await rooms.in_thread(lambda: rooms.store.class_matches(class_id))]
    for number in numbers:
        await _remove(rooms, number)
    await rooms.in_thread(lambda: rooms.store.forget_class(class_id))
    return numbers


async def _remove(rooms: Rooms, number: int) -> None:
    try:
        await rooms.remove(number)
    except UnknownMatchError:
        return  # somebody was quicker
    except ApiError:  # it cannot be read any more
        await rooms.in_thread(lambda: rooms.store.delete(number))


async def forget_old_classes(rooms: Rooms) -> None:
    """Delete the classes in which nothing has happened for long; what fails is tried again."""
    try:
        for class_id in await rooms.in_thread(rooms.store.old_classes):
            await remove_class(rooms, class_id)
    except StoreError as problem:
        log.warning("classes that are too old are kept for now: %s", problem)
