"""History is written small: JSON, deflated with a dictionary of what events look like.

A row of history is mostly names of events and nodes that every other row has, too. With a
dictionary a third or less of it is left, for some microseconds.
"""

from __future__ import annotations

import zlib
from typing import Final

from diglot.runtime.errors import CorruptState

#: What comes first in a row that is deflated with the dictionary; JSON begins with a bracket.
_MARK: Final = b"\x01"
#: Texts that are often in history, the most frequent last, where they are cheapest to refer to.
#: Rows that are written already can only be read with it: a better one needs a mark of its own.
DICTIONARY: Final = (
    b'"trigger.met","triggers.forgotten","event.heard","truth.seen","scope.completing",'
    b'"scope.satisfied","gate.turned","scope.revived","visit.moved","compensation.done",'
    b'"compensation.taken","compensation.kept","scope.terminated","escalation.raised",'
    b'"child.escalated","child.cancelled","keys.known","instance.suspended","instance.resumed",'
    b'"event.emitted","specversion":"1.0","id":","source":"/","type":","data":{'
    b'["event.read",["event.taken",["subscription.opened",["loop.begun",["items.begun",'
    b'["item.ended",["iteration.begun",["iteration.done",["retry.scheduled",["scope.restarted",'
    b'["timer.fired",["timer.armed","wait","retry","attempt","handler","cancelled",'
    b'["visit.cancelled",["tokens.withdrawn",["token.put",["visit.failed",{"type":'
    b'"https://open-workflow-specification.org/spec/1.0.0/errors/runtime","communication",'
    b'"validation","title":"","status":400,500,"detail":"","instance":"/do/0/'
    b'["scope.left",["scope.closed",["child.started",["child.ended","faulted",null,""]]'
    b'[["instance.started",["scope.entered",["visit.skipped",["visit.ready",'
    b'["token.ended",["instance.ended","completed",{"},null,""]]"then","/do/","call: http",'
    b'"http",{"method":"get","post","endpoint":{"uri":"https://"},"headers":{},"body":{}'
    b'],["scope.entered",1,"/",null,null,"start",2,null,{},null,null],'
    b'["visit.passed",3,"start",1,[2],[[4,"f0"]],true,null],'
    b'[["timer.fired",[["job.closed",6,"failed",1],'
    b'["visit.left",5,null,[[7,"task1","f1"]]],["token.ended",8,"end",1,[7]],'
    b'[["job.closed",6,"completed",1],["variable.set",1,"result",0],'
    b'["visit.left",9,null,[[10,"task2","f2"]]],'
    b'["visit.entered",11,"task3",1,[12],null,1799999999999,false,null,null,null,false],'
    b'["job.opened",13,14,"task4","service-task",{"element":"task4","name":"task4",'
    b'"variables":null,"headers":{}},1799999999999,true]]'
)
_EMPTY: Final = zlib.compressobj(1, zlib.DEFLATED, -12, 5, zlib.Z_DEFAULT_STRATEGY, DICTIONARY)


def pack(payload: bytes) -> bytes:
    """JSON as it stands in a row of history."""
    # A window of 4 KB, which is cheap to begin with and larger than what is looked back to.
    deflating = _EMPTY.copy()
    return _MARK + deflating.compress(payload) + deflating.flush()


def unpack(row: bytes) -> bytes:
    """The JSON of a row of history.

    Raises:
        CorruptState: nobody wrote it like this.
    """
    if row[:1] != _MARK:
        return row
    inflating = zlib.decompressobj(-12, DICTIONARY)
    try:
        payload = inflating.decompress(row[1:])
    except zlib.error as error:
        raise CorruptState(f"a row of history cannot be read: {error}") from error
    if not inflating.eof:
        raise CorruptState("a row of history is cut off")
    return payload
