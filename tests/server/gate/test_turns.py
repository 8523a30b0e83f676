"""Who has the next turn where groups take turns, and what becomes of the turn of somebody who goes away."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from rasputitsa.server.workers.fair_queue import FairQueue


async def order(asking: str, gone: str = "") -> str:
    """The groups in the order of their turns, when these ask while somebody has a turn; ``gone``: by number, those who
    go away before theirs."""
    line, had = FairQueue(), list[str]()

    async def have(group: str) -> None:
        async with line.turn(group):
            had.append(group)
            await asyncio.sleep(0)

    async with line.turn("first"):
        tasks = [asyncio.create_task(have(group)) for group in asking]
        await asyncio.sleep(0)
        for number in gone:
            tasks[int(number)].cancel()
        await asyncio.sleep(0)
    await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 30)
    return "".join(had)


@pytest.mark.parametrize(
    ("asking", "gone", "had"),
    [
        ("abc", "", "abc"),
        ("aaab", "", "abaa"),
        ("bba", "", "bab"),
        ("aaabbc", "", "abcaba"),
        ("abca", "0", "bca"),
        ("aab", "2", "aa"),
        ("aaa", "012", ""),
    ],
)
def test_groups_take_turns(asking: str, gone: str, had: str) -> None:
    assert asyncio.run(order(asking, gone)) == had


def test_somebody_who_is_called_and_goes_away_passes_the_turn_on() -> None:
    async def play() -> bool:
        line = FairQueue()

        async def have() -> bool:
            async with line.turn("a"):
                return True

        async with line.turn("a"):
            called, behind = asyncio.create_task(have()), asyncio.create_task(have())
            await asyncio.sleep(0)
        called.cancel()  # it is its turn, and it has not begun
        with suppress(asyncio.CancelledError):
            await called
        return await asyncio.wait_for(behind, 30)

    assert asyncio.run(play())


def test_whoever_comes_when_nobody_has_a_turn_has_it_at_once() -> None:
    assert asyncio.run(order("a")) == "a"
