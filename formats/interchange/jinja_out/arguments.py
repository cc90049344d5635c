"""Arguments of a call that come as JSON text: read in Jinja, which has no parser, character by character."""

from __future__ import annotations

from typing import Final

from formats.interchange.jinja_out.source import choose, loop, prints, put, quoted, tag, when

NORMAL: Final = "json_text"
"""The macro that writes JSON text as `tojson` would: blanks behind comma and colon, none elsewhere."""

_ESCAPES: Final = "{'n': '\\n', 't': '\\t', 'r': '\\r', 'u': '\\\\u'}"
_BLANKS: Final = "[' ', '\\n', '\\t', '\\r']"
_VALUE: Final = (
    "js.text if js.quoted else true if js.text == 'true' else false if js.text == 'false' else none "
    "if js.text == 'null' else js.text if js.text[:1] in ['[', '{'] else js.text|float "
    "if '.' in js.text or 'e' in js.text|lower else js.text|int"
)
_SPACED: Final = "', ' if c == ',' else ': ' if c == ':' else c"


def _step() -> str:
    """How the inside of a string ends."""
    return choose(
        [
            ("js.escaped", put("js.escaped", "false")),
            (f"c == {quoted(chr(92))}", put("js.escaped", "true")),
            ("c == '\"'", put("js.inside", "false")),
        ]
    )


def normal_macro() -> str:
    """Return the macro of that name."""
    outside = when(f"c not in {_BLANKS}", prints(_SPACED)) + when("c == '\"'", put("js.inside", "true"))
    body = when("js.inside", prints("c") + _step(), outside)
    start = put("js", "namespace(inside=false, escaped=false)")
    return tag(f"macro {NORMAL}(text)") + start + loop("c", "text|list", body) + tag("endmacro")


def pairs() -> str:
    """Return what fills `ns.args` with the pairs of `given`: an object, or its JSON text."""
    add = put("ns.args", f"ns.args + [[js.key, {_VALUE}]]") + put("js.key", "''") + put("js.text", "''")
    add += put("js.quoted", "false")
    keep = put("js.text", "js.text ~ c")
    deep = when("js.depth > 0", keep)
    decoded = f"({_ESCAPES}[c] if c in {_ESCAPES} else c)"
    escape = put("js.text", f"js.text ~ ({decoded} if js.depth == 0 else {quoted(chr(92))} ~ c)") + put(
        "js.escaped", "false"
    )
    inside = choose(
        [
            ("js.escaped", escape),
            (f"c == {quoted(chr(92))}", put("js.escaped", "true")),
            ("c == '\"'", put("js.inside", "false") + deep),
        ],
        keep,
    )
    depth = when("c in ['[', '{']", put("js.depth", "js.depth + 1")) + when(
        "c in [']', '}']", put("js.depth", "js.depth - 1")
    )
    outside = choose(
        [
            ("c == '\"'", put("js.inside", "true") + put("js.quoted", "js.quoted or js.depth == 0") + deep),
            ("js.depth == 0 and c == ','", add),
            ("js.depth == 0 and c == ':'", put("js.key", "js.text") + put("js.text", "''") + put("js.quoted", "false")),
            (f"c in {_BLANKS} or js.depth == 0 and c == '}}'", ""),
        ],
        depth + put("js.text", f"js.text ~ ({_SPACED})"),
    )
    start = put("js", "namespace(depth=0, inside=false, escaped=false, quoted=false, key='', text='')")
    start += put("ns.args", "[]")
    read = start + loop("c", "(given|trim)[1:]|list", when("js.inside", inside, outside)) + when("js.key", add)
    # None is no object: an empty one is true in Handlebars
    given = put("ns.args", "given|items|list")
    return choose([("given is mapping", given), ("is_object", read)], put("ns.args", "none"))
