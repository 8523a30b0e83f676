"""A file of a policy comes from elsewhere perhaps: reading it runs nothing, waits for nothing and takes no memory."""

from __future__ import annotations

import io
import os
import pickle
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium")

import numpy as np
from numpy.lib.format import write_array_header_1_0

from rasputitsa.envs.table import Table
from rasputitsa.examples.masked_ppo import Describer, Policy, PolicyError

MORE = 1 << 24


class Runs:
    """Runs something as soon as it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.trace,)


def _claims(shape: tuple[int, ...], kind: str = "<f8") -> bytes:
    """The head of an array that never comes."""
    head = io.BytesIO()
    write_array_header_1_0(head, {"descr": kind, "fortran_order": False, "shape": shape})
    return head.getvalue()


def _as_npz(path: Path, arrays: Mapping[str, Any]) -> None:
    np.savez(path, **arrays)


def _as_pickle(path: Path, arrays: Mapping[str, Any]) -> None:
    path.write_bytes(pickle.dumps(dict(arrays)))


@pytest.fixture(scope="module")
def table() -> Table:
    return Table("portfolio", lesson="river_and_city")


@pytest.mark.parametrize("write", [_as_npz, _as_pickle])
def test_what_a_policy_is_read_from_runs_nothing(tmp_path: Path, table: Table, write: Callable[..., None]) -> None:
    policy = Policy(Describer(table), 1)
    path, trace = tmp_path / "evil.npz", tmp_path / "trace"
    write(path, {"layout": np.array(str(table.layout)), **policy.weights, "out": np.array([Runs(trace)] * 32)})
    with pytest.raises(PolicyError, match="no weights of this policy"):
        policy.load(path, table)
    assert not trace.exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("out", _claims((10**12,)) + bytes(MORE)),
        ("out", _claims((10**6, 10**6))),
        ("layout", _claims((), "<U900000000") + bytes(MORE)),
        ("layout", _claims((10**12,), "<U4")),
        ("out", _claims((32,))),
        ("out", _claims((32,), "<f8") + np.full(32, np.nan).tobytes()),
        ("out", _claims((32,), "<U2") + bytes(256)),
        ("out", b"\x93NUMPY\x09\x00"),
        ("out", b""),
        ("out", b"\x93NUMPY\x01\x00\xff\xff" + b"[" * 65_535),
        ("out", _claims((32,)).replace(b"'shape'", b"'shapeX")),
    ],
)
def test_what_is_no_policy_is_refused_before_it_takes_memory(
    tmp_path: Path, table: Table, name: str, content: bytes
) -> None:
    policy = Policy(Describer(table), 1)
    before = policy.weights
    path = tmp_path / "evil.npz"
    policy.save(path, table)
    with zipfile.ZipFile(path) as sound:
        parts = {part: sound.read(part) for part in sound.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as evil:
        for part, kept in parts.items():
            evil.writestr(part, kept if part != f"{name}.npy" else content)
    tracemalloc.start()
    try:
        with pytest.raises(PolicyError, match="no weights of this policy"):
            policy.load(path, table)
        assert tracemalloc.get_traced_memory()[1] < MORE // 4
    finally:
        tracemalloc.stop()
    assert policy.weights is before


def test_a_policy_is_waited_for_at_no_pipe(tmp_path: Path, table: Table) -> None:
    policy = Policy(Describer(table), 1)
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "none"):
        with pytest.raises(PolicyError, match="is no file"):
            policy.load(path, table)
