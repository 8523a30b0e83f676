"""Every input the fuzzer has kept, and every one that ever was a finding, once more."""

from __future__ import annotations

import random

import pytest

from rasputitsa.core.caching import cached
from tests.fuzz.all_targets import TARGETS, make
from tests.fuzz.corpus import read_corpus, regressions
from tests.fuzz.mutate import NASTY, written
from tests.fuzz.targets import Target

made = cached(make)


@pytest.mark.parametrize(("target", "name"), [(target, name) for target in TARGETS for name in regressions(target)])
def test_what_was_a_finding_is_none_any_more(target: str, name: str) -> None:
    made(target).run(regressions(target)[name])


@pytest.mark.parametrize("name", TARGETS)
def test_the_kept_corpus_finds_nothing(name: str) -> None:
    target, kept = made(name), read_corpus(name)
    assert kept, "there is a corpus"
    for data in [*target.seeds(), *kept]:
        target.run(data)


@pytest.mark.parametrize("name", TARGETS)
def test_changed_seeds_find_nothing(name: str) -> None:
    target, chooser = made(name), random.Random(name)
    for seed in target.seeds():
        data = seed
        for _ in range(target.rounds):
            data = target.mutate(data, chooser) or seed
            target.run(data)
            if chooser.random() < 0.3:
                data = seed


def test_a_target_can_fail() -> None:
    """Nothing is caught that should be heard of."""

    class Broken(Target):
        name = "broken"

        def run(self, data: bytes) -> None:
            data.decode("ascii")

        def seeds(self) -> list[bytes]:  # type: ignore[override]
            return [b"[1]"]

    chooser, target = random.Random(1), Broken()
    with pytest.raises(UnicodeDecodeError):
        for _ in range(100):
            target.run(target.mutate(b'{"a": "\xc3\xa4"}', chooser) or b"")
            target.run(written(chooser.choice(NASTY)).encode("utf-8", "surrogatepass") + b"\xc3")
