"""The grammar of a tag: pybars3's own OMeta grammar class, extended and given faster terminals.

pybars3's rules `expression_inner`, `arguments`, `subexpression` and `partial_inner` are inherited as they are; below
are the rules it lacks. Nothing of a template reaches the actions of a rule: they are the fixed strings below.
"""

from __future__ import annotations

import threading
from typing import Any

import pybars

from formats.handlebars.terminals import Terminals

DELTA = r"""
kwliteral ::= <safesymbol>:key (<literal> | <path> | <subexpression>):operand => ('kwparam', key, operand)
partialname ::= <subexpression> | <path>
unescaped_inner ::= <spaces> <path>:callee <arguments>:operands <spaces> <finishunescaped> => (callee, operands)
block_inner ::= <spaces> <path>:callee <arguments>:operands <blockparams>:names <spaces> <finish>
    => (callee, operands, names)
raw_inner ::= <spaces> <path>:callee <arguments>:operands <spaces> <finishraw> => (callee, operands)
close_inner ::= <spaces> <path>:name <spaces> <finish> => name
"""

_lock = threading.Lock()
_built: list[type[Any]] = []


def grammar_class() -> type[Any]:
    """The grammar class, built once per process at first use (about 0.05 s)."""
    if not _built:
        with _lock:
            if not _built:
                extended = pybars.Compiler._handlebars.makeGrammar(DELTA, {}, "neotavern_handlebars")
                _built.append(type("TagGrammar", (Terminals, extended), {}))
    return _built[0]
