"""The little Markdown of docs/ as HTML: headings, paragraphs, lists, tables, code, links. Everything else is text.

What comes in is escaped first, so no text of a page becomes markup of its own.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import Final

_CODE: Final = re.compile(r"(`+)(.+?)\1")
_LINK: Final = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_STRONG: Final = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])")
_ITEM: Final = re.compile(r"(\s*)(-|\d+\.) (.*)")
_RULE: Final = re.compile(r"\|?[\s:|-]+\|[\s:|-]*")
_HEADING: Final = re.compile(r"(#{1,4}) (.*)")

Address = Callable[[str], str | None]
"""Takes where a link leads; returns the address to write, None for a link that is shown as text."""


def to_html(text: str, address: Address) -> str:
    """Return a page as HTML."""
    return "\n".join(_blocks(text.split("\n"), address))


def anchor(heading: str) -> str:
    """Return the id of a heading: its words, small and joined by dashes."""
    return "-".join(re.findall(r"[\w]+", heading.casefold()))


def title_of(text: str) -> str:
    """Return the first heading of a page."""
    found = _HEADING.match(text)
    return found[2].strip() if found else ""


def _blocks(lines: list[str], address: Address) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        heading = _HEADING.fullmatch(line)
        if not line.strip():
            at += 1
        elif line.startswith("```"):
            end = _end(lines, at + 1, lambda one: not one.startswith("```"))
            yield f"<pre><code>{html.escape(chr(10).join(lines[at + 1 : end]))}</code></pre>"
            at = end + 1
        elif heading:
            level = len(heading[1])
            yield f'<h{level} id="{anchor(heading[2])}">{_inline(heading[2], address)}</h{level}>'
            at += 1
        elif line.startswith("|"):
            end = _end(lines, at, lambda one: one.startswith("|"))
            yield _table(lines[at:end], address)
            at = end
        elif _ITEM.fullmatch(line):
            end = _end(lines, at, lambda one: bool(_ITEM.fullmatch(one)) or one.startswith("  "))
            yield _list(lines[at:end], address)
            at = end
        else:
            end = _end(lines, at, _is_prose)
            yield f"<p>{_inline(' '.join(lines[at:end]), address)}</p>"
            at = max(end, at + 1)


def _end(lines: list[str], start: int, holds: Callable[[str], bool]) -> int:
    return next((at for at in range(start, len(lines)) if not holds(lines[at])), len(lines))


def _is_prose(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(("```", "|", "#")) and not _ITEM.fullmatch(line)


def _list(lines: list[str], address: Address) -> str:
    """Return a list; lines that are indented and begin no item go on with the one before."""
    items: list[str] = []
    for line in lines:
        item = _ITEM.fullmatch(line)
        if item:
            items.append(item[3])
        else:
            items[-1] += f" {line.strip()}"
    name = "ul" if lines[0].lstrip().startswith("-") else "ol"
    return f"<{name}>{''.join(f'<li>{_inline(item, address)}</li>' for item in items)}</{name}>"


def _table(lines: list[str], address: Address) -> str:
    rows = [_cells(line) for line in lines if not _RULE.fullmatch(line)]
    has_head = len(lines) > 1 and _RULE.fullmatch(lines[1]) is not None
    made = []
    for at, cells in enumerate(rows):
        name = "th" if at == 0 and has_head else "td"
        made.append(f"<tr>{''.join(f'<{name}>{_inline(cell, address)}</{name}>' for cell in cells)}</tr>")
    head = f"<thead>{made.pop(0)}</thead>" if has_head and made else ""
    return f"<table>{head}<tbody>{''.join(made)}</tbody></table>"


def _cells(line: str) -> list[str]:
    """Split a row at its bars; one in code or behind a backslash is text."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[0])
        return f"\0{len(held) - 1}\0"

    bare = re.sub(r"(`+).+?\1|\\\|", hold, line.strip()).strip("|")
    return [
        re.sub(r"\0(\d+)\0", lambda one: held[int(one[1])].replace("\\|", "|"), cell).strip()
        for cell in bare.split("|")
    ]


def _inline(text: str, address: Address) -> str:
    """Return a line as HTML: code first, whose marks mean nothing."""
    parts: list[str] = []
    at = 0
    for code in _CODE.finditer(text):
        parts += [_marked(text[at : code.start()], address), f"<code>{html.escape(code[2].strip() or code[2])}</code>"]
        at = code.end()
    return "".join([*parts, _marked(text[at:], address)])


def _marked(text: str, address: Address) -> str:
    def link(match: re.Match[str]) -> str:
        where = address(html.unescape(match[2]))
        return match[1] if where is None else f'<a href="{html.escape(where)}">{match[1]}</a>'

    escaped = _LINK.sub(link, html.escape(text, quote=False))
    return _EMPHASIS.sub(r"<em>\1</em>", _STRONG.sub(r"<strong>\1</strong>", escaped))
