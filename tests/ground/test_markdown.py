"""The Markdown of docs/: exact HTML, nothing of a page becomes markup of its own, every document turns."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from neotavern.ground.markdown import anchor, title_of, to_html

DOCS = sorted((Path(settings.BASE_DIR) / "docs").glob("*.md"))


def html(text: str) -> str:
    return to_html(text, lambda where: f"/m/{where}" if where.endswith(".md") else None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A b\n\nTwo\nlines", '<h1 id="a-b">A b</h1>\n<p>Two lines</p>'),
        (
            "- one\n  goes on\n- **two** *three*",
            "<ul><li>one goes on</li><li><strong>two</strong> <em>three</em></li></ul>",
        ),
        ("1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"),
        (
            "| a | b |\n|---|---|\n| `x|y` | <i> |",
            "<table><thead><tr><th>a</th><th>b</th></tr></thead>"
            "<tbody><tr><td><code>x|y</code></td><td>&lt;i&gt;</td></tr></tbody></table>",
        ),
        ("```\n<b> *x*\n\n# y\n```\nend", "<pre><code>&lt;b&gt; *x*\n\n# y</code></pre>\n<p>end</p>"),
        ("[a](b.md) [c](d.txt)", '<p><a href="/m/b.md">a</a> c</p>'),
        ("`` ` `` and `*no*`", "<p><code>`</code> and <code>*no*</code></p>"),
        ('<script>"&amp;"</script>', '<p>&lt;script&gt;"&amp;amp;"&lt;/script&gt;</p>'),
        ("2 * 3 * 4", "<p>2 * 3 * 4</p>"),
    ],
)
def test_exact(text: str, expected: str) -> None:
    assert html(text) == expected


def test_a_link_can_not_leave_its_attribute() -> None:
    assert to_html('[a](x"onclick=1)', lambda where: where) == '<p><a href="x&quot;onclick=1">a</a></p>'


def test_names() -> None:
    assert (anchor("Why `is` it in?"), title_of("# The pages\n\nx"), title_of("x")) == ("why-is-it-in", "The pages", "")


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.stem)
def test_every_document_turns(path: Path) -> None:
    made = html(path.read_text("utf-8"))
    assert made.startswith("<h1 ")
    assert "```" not in made
