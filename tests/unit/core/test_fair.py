"""Groups that take turns."""

from __future__ import annotations

import asyncio

from rasputitsa.server.workers.fair_queue import FairQueue
from tests.support import PATIENCE


def test_a_group_of_many_does_not_keep_others_waiting() -> None:
    served: list[str] = []

    async def use(line: FairQueue, group: str) -> None:
        async with line.turn(group):
            served.append(group)
            await asyncio.sleep(0)

    async def all_of() -> None:
        line = FairQueue()
        many = [asyncio.create_task(use(line, "many")) for _ in range(50)]
        await asyncio.sleep(0)
        others = [asyncio.create_task(use(line, other)) for other in ("one", "two", "one")]
        await asyncio.gather(*many, *others)

    asyncio.run(all_of())
    assert len(served) == 53
    assert max(place for place, group in enumerate(served) if group != "many") <= 7


def test_groups_take_turns_whatever_their_names_and_when_they_come() -> None:
    served: list[str] = []

    async def use(line: FairQueue, group: str, *later: str) -> None:
        async with line.turn("".join(("group ", group))):  # not the same object as that of another call
            served.append(group)
            for other in later:
                tasks.append(asyncio.create_task(use(line, other)))
            await asyncio.sleep(0)

    tasks: list[asyncio.Task[None]] = []

    async def all_of() -> None:
        line = FairQueue()
        tasks.extend(asyncio.create_task(use(line, *calls)) for calls in ("x", "b", "bd", "ac", "b", "ea"))
        while not all(task.done() for task in tasks):
            await asyncio.gather(*tasks)

    asyncio.run(asyncio.wait_for(all_of(), PATIENCE))
    assert "".join(served) == "xbaebcabd"


def test_alone_nobody_waits_and_each_has_it_alone() -> None:
    async def all_of() -> int:
        line, inside, most = FairQueue(), 0, 0

        async def use(group: str) -> None:
            nonlocal inside, most
            async with line.turn(group):
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0.001)
                inside -= 1

        async with asyncio.timeout(PATIENCE):
            await use("a")
            await asyncio.gather(*(use(group) for group in "abcabcaab"))
        return most

    assert asyncio.run(all_of()) == 1


def test_whoever_gives_up_waiting_holds_nobody_up() -> None:
    async def all_of() -> list[str]:
        line, served = FairQueue(), list[str]()

        async def use(name: str) -> None:
            async with line.turn("group"):
                served.append(name)
                await asyncio.sleep(0.01)

        tasks = {name: asyncio.create_task(use(name)) for name in "abcd"}
        await asyncio.sleep(0.001)
        tasks["b"].cancel()
        await asyncio.sleep(0.0105)
        tasks["c"].cancel()  # perhaps in the moment it was called
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*tasks.values(), return_exceptions=True)
            await use("e")
        return served

    served = asyncio.run(all_of())
    assert served[0] == "a" and served[-2:] == ["d", "e"] and "b" not in served
