"""What stands in a row of history."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given

from diglot.runtime.errors import CorruptState
from diglot.runtime.store import packing
from diglot.runtime.store.packing import pack, unpack
from support import json_values

STEP = (
    b'[["job.closed",27,"completed",1],["variable.set",1,"result",7],'
    b'["visit.left",26,null,[[28,"pay the bill","f8"]]],'
    b'["visit.entered",29,"pay the bill",1,[28],null,1796104908653,false,null,null,null,false],'
    b'["job.opened",30,29,"pay the bill","service-task",{"element":"pay","name":"pay the bill",'
    b'"variables":null,"headers":{}},1796104908653,true]]'
)


@given(json_values.values)
def test_what_is_packed_is_unpacked_as_it_was(value: object) -> None:
    payload = json.dumps([value]).encode()

    assert unpack(pack(payload)) == payload


def test_a_step_of_a_process_takes_a_third_of_its_json() -> None:
    assert len(pack(STEP)) < len(STEP) / 3


def test_plain_json_is_read_as_it_stands() -> None:
    assert unpack(STEP) == STEP


@pytest.mark.parametrize("row", [pack(STEP)[:-3], b"\x01", b"\x01nothing of ours"])
def test_a_damaged_row_is_no_history(row: bytes) -> None:
    with pytest.raises(CorruptState, match="row of history"):
        unpack(row)


def test_the_dictionary_is_the_one_that_rows_are_written_with() -> None:
    """A row can only be read with the very dictionary: another one needs another mark."""
    found = hashlib.sha256(packing.DICTIONARY).hexdigest()

    assert found[:16] == "6f80fb0773a86c83"
