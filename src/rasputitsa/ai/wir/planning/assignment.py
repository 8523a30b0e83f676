"""Who goes where: the cheapest pairing of rows with columns (shortest augmenting paths, Jonker and Volgenant)."""

from __future__ import annotations

from collections.abc import Sequence


def assign(cost: Sequence[Sequence[float]]) -> list[int]:
    """For each row the column it is paired with, -1 for none; the sum of the costs is the least possible.

    With more rows than columns some rows stay without one.
    """
    if not cost or not cost[0]:
        return [-1] * len(cost)
    if len(cost) > len(cost[0]):
        turned = assign([list(column) for column in zip(*cost, strict=True)])
        found = [-1] * len(cost)
        for column, row in enumerate(turned):
            if row >= 0:
                found[row] = column
        return found
    return _assign(cost)


def _assign(cost: Sequence[Sequence[float]]) -> list[int]:
    rows, columns = len(cost), len(cost[0])
    infinite = float("inf")
    u, v = [0.0] * (rows + 1), [0.0] * (columns + 1)
    owner, way = [0] * (columns + 1), [0] * (columns + 1)
    for row in range(1, rows + 1):
        owner[0] = row
        column = 0
        least = [infinite] * (columns + 1)
        used = [False] * (columns + 1)
        while True:
            used[column] = True
            here, delta, nearest = owner[column], infinite, 0
            line, base = cost[here - 1], u[here]
            for j in range(1, columns + 1):
                if used[j]:
                    continue
                reduced = line[j - 1] - base - v[j]
                if reduced < least[j]:
                    least[j] = reduced
                    way[j] = column
                if least[j] < delta:
                    delta, nearest = least[j], j
            for j in range(columns + 1):
                if used[j]:
                    u[owner[j]] += delta
                    v[j] -= delta
                else:
                    least[j] -= delta
            column = nearest
            if not owner[column]:
                break
        while column:
            owner[column] = owner[way[column]]
            column = way[column]
    found = [-1] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            found[owner[column] - 1] = column - 1
    return found
