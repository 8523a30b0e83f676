"""What is to be done with the matches of a store that was set back to a backup, before anybody plays on."""

from __future__ import annotations

import logging

from rasputitsa.server.errors import ApiError
from rasputitsa.server.matches.match import Match
from rasputitsa.server.store import Store
from rasputitsa.server.store.schema import MAX_ID

log = logging.getLogger(__name__)


def go_on(store: Store) -> None:
    """Give the matches between people new dice: everybody knows those that fell after the backup.

    An end in the middle does no harm; it is done again.

    Raises:
        StoreError: it cannot be written.
    """
    if not store.was_set_back():
        return
    for row in store.matches(MAX_ID):
        if not row.over:
            try:
                Match(store, row.id).set_back()
            except ApiError as problem:
                log.error("match %d gets no new dice: %s", row.id, problem.message)
    store.go_on_from_there()
