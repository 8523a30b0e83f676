"""Alembic environment; always run from within the program, on the connection it hands over."""

from __future__ import annotations

from alembic import context

from rasputitsa.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
