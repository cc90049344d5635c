"""Editors by fields in a browser: blocks put into another order by keyboard, entries of a book, drafts with rows."""

from __future__ import annotations

from typing import Any

import pytest

from chats.lore_rows import document_of, rows_at
from neotavern.library import selectors, services
from tests.browser.conftest import AXE, Site, until

CONFIG = {"kind": "prompt-config", "version": 1, "id": "calm", "name": "Calm"}
ENTRIES = [
    {"uid": "h", "name": "Harbour", "keys": ["pier"], "content": "Three piers."},
    {"uid": "g", "name": "Gulls", "keys": ["gull"], "content": "They steal."},
    {"uid": "s", "name": "Storm", "keys": ["storm"], "content": "In the year 12."},
]
BOOK = {"kind": "lorebook", "version": 1, "id": "vell", "name": "Vell", "entries": ENTRIES}
BUILTIN = (
    "main-prompt", "world-info-before", "persona", "character-description", "character-personality", "scenario",
    "world-info-after", "dialogue-examples", "memory", "authors-note", "chat-history", "post-history-instructions",
)  # fmt: skip

CHARACTER = {
    "kind": "character", "version": 1, "id": "mira", "name": "Mira", "firstMes": "Late.",
    "alternateGreetings": ["a", "b"], "description": "A pilot of the ferry, " * 40,
}  # fmt: skip
RULES = {
    "kind": "interceptor", "version": 1, "id": "calm", "name": "Calm",
    "rules": [{"type": "replace", "find": "x"}, {"type": "drop", "roles": ["tool"]}],
}  # fmt: skip
PAGES = (
    "prompt-configs/calm/", "prompt-configs/calm/?view=json", "characters/mira/", "characters/new/", "personas/new/",
    "memories/new/", "interceptors/calm/", "lorebooks/vell/", "lorebooks/vell/?q=nothing", "lorebooks/vell/settings/",
    "lorebooks/vell/try/", "lorebooks/vell/entry/?uid=h", "lorebooks/vell/entry/", "lorebooks/new/", "import/",
    "settings/", "settings/me/",
)  # fmt: skip


def document(site: Site, kind: str, slug: str) -> dict[str, Any]:
    item = selectors.get_item(site.alice.actor, kind=kind, slug=slug)
    return selectors.document(item, selectors.revision(item))


def entries(site: Site) -> list[dict[str, Any]]:
    book = selectors.get_item(site.alice.actor, kind="lorebook", slug="vell")
    rows = rows_at(book.pk, book.last_number).order_by("position", "id")
    return [document_of(row.uid, row.body) for row in rows]


def ids(config: dict[str, Any]) -> list[str]:
    return [block["id"] for block in config["blocks"]]


def save(page: Any) -> None:
    page.click("[data-key-save]")
    page.wait_for_selector(".notice.success, .notice.info")


def test_blocks_are_put_into_another_order_by_keyboard(site: Site) -> None:
    services.create(site.alice.actor, kind="prompt-config", document=CONFIG)
    page = site.open("/t/tavern/prompt-configs/calm/")
    page.focus("[data-row='2-core'] summary")
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    assert page.evaluate("document.activeElement.closest('[data-row]').dataset.row") == "2-core"
    assert page.text_content("[data-rows-said]") == "Now number 1 of 12."
    page.focus("[data-row='9-core'] [data-row-do=down]")
    page.keyboard.press("Enter")
    save(page)
    assert ids(document(site, "prompt-config", "calm")) == ["persona", "main-prompt", "world-info-before", *BUILTIN[3:]]


def test_a_block_of_one_s_own_is_added_switched_copied_and_dragged(site: Site) -> None:
    services.create(site.alice.actor, kind="prompt-config", document=CONFIG)
    page = site.open("/t/tavern/prompt-configs/calm/")
    page.click("[data-row-do=add]")
    page.keyboard.type("Style")
    page.fill("[data-row='n0-custom'] textarea", "Be short.")
    page.click("[data-row='n0-custom'] [data-row-do=copy]")
    page.uncheck("[data-row='n1-custom'] .row-lead input")
    grip, above = page.locator("[data-row='n0-custom'] [data-grip]"), page.locator("[data-row='0-main'] .row-bar")
    grip.scroll_into_view_if_needed()
    page.evaluate("document.querySelectorAll('.row-body').forEach((one) => { one.open = false; })")
    page.evaluate("document.querySelector('#section-blocks').scrollIntoView()")
    start, end = grip.bounding_box(), above.bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(end["x"] + 5, end["y"] + 4, steps=20)
    page.mouse.up()
    save(page)
    blocks = document(site, "prompt-config", "calm")["blocks"]
    assert blocks[0] == {"id": "custom-new", "name": "Style", "role": "system", "content": "Be short."}
    assert [block["id"] for block in blocks[-3:]] == ["custom-new-2", *BUILTIN[-2:]]
    assert blocks[-3]["enabled"] is False
    page.click("button[value^='reset:']")
    page.wait_for_load_state()
    save(page)
    assert document(site, "prompt-config", "calm")["blocks"] is None


def test_rows_that_were_not_saved_come_back(site: Site) -> None:
    services.create(site.alice.actor, kind="prompt-config", document=CONFIG)
    page = site.open("/t/tavern/prompt-configs/calm/")
    page.click("[data-row-do=add]")
    page.keyboard.type("Style")
    page.focus("[data-row='1-core'] summary")
    page.keyboard.press("Alt+ArrowUp")
    page.wait_for_timeout(400)
    page.reload()
    until(page, "!document.querySelector('[data-draft-restored]').closest('[hidden]')")
    assert page.input_value("[data-row='n0-custom'] input.text >> nth=0") == "Style"
    assert page.evaluate(
        "[...document.querySelectorAll('.rows-list > li')].slice(0, 2).map((one) => one.dataset.row)"
    ) == [
        "1-core",
        "0-main",
    ]
    save(page)
    assert ids(document(site, "prompt-config", "calm"))[:2] == ["world-info-before", "main-prompt"]
    assert page.locator("[data-draft-notice]:visible").count() == 0


def test_entries_are_switched_ordered_and_edited(site: Site) -> None:
    services.create(site.alice.actor, kind="lorebook", document=BOOK)
    page = site.open("/t/tavern/lorebooks/vell/")
    page.uncheck("tr[data-row='0'] input[name='d.e.0.enabled']")
    page.fill("input[name='d.e.1.order']", "7")
    page.focus("tr[data-row='2'] [data-row-do=up]")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    save(page)
    assert entries(site) == [ENTRIES[2], ENTRIES[0] | {"enabled": False}, ENTRIES[1] | {"order": 7}]
    page.click("a.name >> text=Gulls")
    page.fill("[name='d.keys']", "gull\n/seagulls?/i")
    page.click("#section-when > summary")
    page.fill("[name='d.probability']", "50")
    save(page)
    assert entries(site)[2] == ENTRIES[1] | {"order": 7, "keys": ["gull", "/seagulls?/i"], "probability": 50}


def test_what_is_typed_in_the_list_of_entries_comes_back(site: Site) -> None:
    services.create(site.alice.actor, kind="lorebook", document=BOOK)
    page = site.open("/t/tavern/lorebooks/vell/")
    page.fill("input[name='d.e.1.order']", "7")
    page.focus("tr[data-row='2']  input[name='d.e.2.order']")
    page.keyboard.press("Alt+ArrowUp")
    page.wait_for_timeout(400)
    page.reload()
    until(page, "!document.querySelector('[data-draft-restored]').closest('[hidden]')")
    assert page.input_value("input[name='d.e.1.order']") == "7"
    assert page.evaluate("[...document.querySelectorAll('tbody tr')].map((one) => one.dataset.row)") == ["0", "2", "1"]
    save(page)
    assert [(one["uid"], one.get("order")) for one in entries(site)] == [("h", None), ("s", None), ("g", 7)]
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('entries'))") == []


def test_search_narrows_the_list_and_a_text_shows_what_it_calls(site: Site) -> None:
    services.create(site.alice.actor, kind="lorebook", document=BOOK)
    page = site.open("/t/tavern/lorebooks/vell/", site.bob)
    page.fill("#q", "pier")
    until(page, "document.querySelectorAll('tbody tr').length === 1")
    assert page.text_content("tbody .name") == "Harbour"
    page.fill("#q", "")
    until(page, "document.querySelectorAll('tbody tr').length === 3")
    page.goto(site.url + "/t/tavern/lorebooks/vell/try/")
    page.fill("#text", "A Gull.")
    until(page, "document.querySelector('.tried .name')")
    assert page.text_content(".tried .name") == "Gulls"


def test_files_dropped_on_the_page_are_told_before_they_are_stored(site: Site) -> None:
    page = site.open("/t/tavern/import/")
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          const card = { kind: "character", version: 1, id: "mira", name: "Mira" };
          data.items.add(new File([JSON.stringify(card)], "mira.json", { type: "application/json" }));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    page.wait_for_selector("#report button")
    assert "would be created" in page.text_content("#report")
    page.click("#report button")
    page.wait_for_selector("#report a.name")
    assert document(site, "character", "mira")["name"] == "Mira"


def make_all(site: Site) -> None:
    for one in (CONFIG, BOOK, CHARACTER, RULES):
        services.create(site.alice.actor, kind=one["kind"], document=one)


def open_all(page: Any) -> None:
    """Open every section and row."""
    page.evaluate("document.querySelectorAll('details:not(.menu)').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(100)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: `npm install` brings it")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(site: Site, scheme: Any) -> None:
    make_all(site)
    found = []
    page = site.open("/t/tavern/settings/", color_scheme=scheme)
    for path in PAGES:
        page.goto(f"{site.url}/t/tavern/{path}")
        open_all(page)
        page.evaluate(AXE.read_text())
        result = page.evaluate("axe.run({ resultTypes: ['violations'] })")
        for one in result["violations"]:
            found.append((path, one["id"], [node["target"] for node in one["nodes"]][:3]))
    assert found == []


def test_nothing_is_wider_than_its_window(site: Site) -> None:
    make_all(site)
    for width in (390, 1440):
        page = site.open("/t/tavern/settings/", width=width)
        for path in PAGES:
            page.goto(f"{site.url}/t/tavern/{path}")
            open_all(page)
            assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, width)
