"""A chat in a browser: written, ordered by keyboard and by drag, seen as a prompt at once, and traced."""

from __future__ import annotations

from typing import Any

import pytest

from chats import selectors as rows
from chats.services.messages import add_messages
from neotavern.library import selectors, services
from neotavern.library.models import Item
from tests.browser.conftest import AXE, Site, until

NIGHT = "/t/tavern/chats/night/"
PROMPT = "#prompt-output .prompt"


def make_chat(site: Site, *turns: str) -> Item:
    def store(kind: str, **document: Any) -> Item:
        made = {"kind": kind, "version": 1, "shared": True} | document
        if kind in ("character", "lorebook"):
            del made["shared"]
        return services.create(site.alice.actor, kind=kind, document=made).item

    store("character", id="joss", name="Joss", description="Draws maps.")
    store("persona", id="ana", name="Ana", description="A pilot.")
    entries = [
        {"uid": "ice", "name": "Ice", "keys": ["bell"], "content": "It freezes from the north."},
        {"uid": "art", "name": "Knots", "keys": ["art"], "wholeWords": True, "content": "Bowlines."},
    ]
    store("lorebook", id="port", name="Port", entries=entries)
    chat = store("chat", id="night", name="Night", format="chatml", lorebooks=["port"])
    roles = ("user", "assistant")
    messages = [{"role": roles[at % 2], "content": text} for at, text in enumerate(turns)]
    add_messages(site.alice.actor, chat=chat, messages=messages)
    return chat


def texts(chat: Item) -> list[str]:
    return [one.message().plain for one in rows.stored_messages(chat.pk)]


def shows(page: Any, text: str) -> None:
    page.wait_for_selector(f"{PROMPT}:has-text('{text}')")


def test_what_is_written_is_in_the_prompt_at_once_and_stored_when_it_is_added(site: Site) -> None:
    chat = make_chat(site, "One", "Two")
    page = site.open(NIGHT)
    shows(page, "Two")
    page.fill("#say-text", "Is it far?")
    shows(page, "Is it far?")
    assert texts(chat) == ["One", "Two"]
    page.reload()  # what was written waits in this browser
    shows(page, "Is it far?")
    page.focus("#say-text")
    page.keyboard.press("Alt+Enter")
    page.wait_for_selector("#thread .said:nth-child(3) >> text=Is it far?")
    until(page, "document.querySelector('#say-text').value === ''")
    assert texts(chat) == ["One", "Two", "Is it far?"]
    page.click("#say label:has-text('system')")
    page.fill("#say-text", "Be brief.")
    page.click("text=Add to the chat")
    page.wait_for_selector("#thread .said:nth-child(4) >> text=Be brief.")
    assert rows.stored_messages(chat.pk)[-1].message().role == "system"


def test_messages_are_ordered_by_keyboard_and_keep_the_focus(site: Site) -> None:
    chat = make_chat(site, "One", "Two", "Three")
    page = site.open(NIGHT)
    shows(page, "Three")
    last = str(rows.stored_messages(chat.pk)[-1].id)
    page.focus(f"#up-{last}")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#preview-status').textContent === 'Moved: now message 2.'")
    page.wait_for_selector("#thread .said:nth-child(2) >> text=Three")
    until(page, f"document.activeElement.id === 'up-{last}'")
    # a key within the 20 ms in which htmx does not know the new form yet sends it as a browser does: a new page
    until(page, "document.querySelector('.htmx-settling') === null")
    page.keyboard.press("Enter")
    page.wait_for_selector("#thread .said:nth-child(1) >> text=Three")
    assert texts(chat) == ["Three", "One", "Two"]
    until(page, f"document.activeElement.closest('.said')?.dataset.id === '{last}'")
    until(page, f"document.querySelector('{PROMPT}').textContent.startsWith('<|im_start|>user\\nThree')")


def test_a_message_is_dragged_to_another_place(site: Site) -> None:
    chat = make_chat(site, "One", "Two", "Three")
    page = site.open(NIGHT)
    shows(page, "Three")
    page.drag_and_drop(
        ".said:nth-child(3) [data-message-grip]", ".said:nth-child(1)", target_position={"x": 60, "y": 4}
    )
    page.wait_for_selector("#thread .said:nth-child(1) >> text=Three")
    assert texts(chat) == ["Three", "One", "Two"]


def test_a_message_is_edited_pinned_and_deleted_in_place(site: Site) -> None:
    chat = make_chat(site, "One", "Two")
    page = site.open(NIGHT)
    shows(page, "Two")
    page.on("dialog", lambda dialog: dialog.accept())
    first = str(rows.stored_messages(chat.pk)[0].id)
    page.focus(f"#edit-{first}")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#text-{first}")
    until(page, f"document.activeElement.id === 'text-{first}'")
    page.fill(f"#text-{first}", "Once")
    page.click(f"#m-{first} >> text=Save")
    shows(page, "Once")
    assert texts(chat) == ["Once", "Two"]
    page.hover(f"#m-{first}")
    page.click(f"#pin-{first}")
    page.wait_for_selector(f"#m-{first} .chip:has-text('pinned')")
    page.hover(f"#m-{first}")
    page.click(f"#m-{first} >> text=Delete")
    page.wait_for_selector(f"#m-{first}", state="detached")
    assert texts(chat) == ["Two"]


def test_settings_change_the_prompt_before_they_are_saved(site: Site) -> None:
    make_chat(site, "One")
    page = site.open(NIGHT)
    shows(page, "One")
    page.click("#section-settings > summary")
    page.select_option("#f-persona", "ana")
    shows(page, "The user is Ana: A pilot.")
    page.select_option("select[name='d.characters.0']", "joss")
    assert page.locator("select[name='d.characters.1']").count() == 1
    page.reload()  # the draft comes back with its rows
    shows(page, "Ana")
    assert page.locator("select[name='d.characters.0']").input_value() == "joss"
    page.keyboard.press("Control+s")
    page.wait_for_selector("text=Saved as revision 2.")
    item = selectors.get_item(site.alice.actor, kind="chat", slug="night")
    stored = selectors.document(item, selectors.revision(item))
    assert (stored["persona"], stored["characters"]) == ("ana", ["joss"])


def test_the_trace_says_why_a_line_is_in_the_prompt_and_why_an_entry_is_not(site: Site) -> None:
    make_chat(site, "We start.", "The bell.")
    page = site.open(NIGHT)
    shows(page, "It freezes")
    page.click(f"{PROMPT} .seg.ct:has-text('It freezes')")
    page.wait_for_selector("#part-0 .why:has-text('In: key “bell” in message 2.')")
    page.fill("#say-text", "Is it far?")
    shows(page, "Is it far?")
    page.click("#prompt-pane >> text=Trace")
    page.wait_for_selector("#stage-lore.on:has-text('In: key “bell” in message 2.')")
    page.wait_for_selector(".prompt:has-text('Is it far?')")
    page.focus("#tab-lore")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#tab-memory[aria-selected=true]")
    page.fill("#why", "knots")
    told = "Out: key “art” stands only inside “start” in message 1; the entry asks for whole words."
    page.wait_for_selector(f"#why-not:has-text('{told}')")
    page.fill("#why", "ice")
    page.click("#why-not >> text=Show it")
    page.wait_for_selector("#part-0 .why:has-text('In: key “bell” in message 2.')")


def test_who_may_only_read_tries_what_one_could_say(site: Site) -> None:
    chat = make_chat(site, "One")
    page = site.open(NIGHT, site.bob)
    shows(page, "One")
    page.fill("#say-text", "Is it far?")
    shows(page, "Is it far?")
    page.keyboard.press("Alt+Enter")
    assert page.locator("text=Add to the chat").count() == 0
    assert texts(chat) == ["One"]


def test_without_scripts_one_writes_orders_and_sees_the_prompt(site: Site) -> None:
    chat = make_chat(site, "One", "Two")
    page = site.open(NIGHT, java_script_enabled=False)
    page.fill("#say-text", "Three")
    page.click("text=Add to the chat")
    assert texts(chat) == ["One", "Two", "Three"]
    page.click("#m-" + str(rows.stored_messages(chat.pk)[-1].id) + " [value=up]")
    assert texts(chat) == ["One", "Three", "Two"]
    page.click("text=Show the prompt")
    assert "Three" in page.inner_text(".prompt")
    page.go_back()
    page.click("text=Trace")
    assert page.locator(".stage-panel").first.is_visible()
    assert page.locator(".stage-panel").last.is_visible()


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: `npm install` brings it")
@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(site: Site, scheme: Any, width: int) -> None:
    chat = make_chat(site, "We start.", "The bell.")
    last = rows.stored_messages(chat.pk)[-1].id
    found: list[Any] = []
    page = site.open(NIGHT, color_scheme=scheme, width=width)
    for path, ready in (
        (f"{NIGHT}?edit={last}", PROMPT),
        (f"{NIGHT}trace/?why=e", "#why-not .told"),
        ("/t/tavern/chats/new/", "#slug"),
    ):
        page.goto(site.url + path)
        page.wait_for_selector(ready, state="attached")
        page.evaluate("document.querySelectorAll('details:not(.menu)').forEach((one) => { one.open = true; })")
        page.wait_for_timeout(150)
        page.evaluate(AXE.read_text())
        result = page.evaluate("axe.run({ resultTypes: ['violations'] })")
        for one in result["violations"]:
            found.append((path, one["id"], [node["target"] for node in one["nodes"]][:3]))
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append((path, "too wide"))
    assert found == []
