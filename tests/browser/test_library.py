"""The library in a browser: labels in a dialog, bulk actions, comparison, and two people at one format."""

from __future__ import annotations

from typing import Any

from neotavern.library import selectors, services
from tests.browser.conftest import Site, until
from tests.browser.test_workbench import KIND, PROMPT, editor, make_house, put, stored

HOUSE = "/t/tavern/formats/house/"


def house(site: Site) -> Any:
    return selectors.get_item(site.alice.actor, kind=KIND, slug="house")


def second_revision(site: Site) -> None:
    make_house(site)
    document = stored(site) | {"user": "<second>{{{content}}}"}
    services.save(site.alice.actor, item=house(site), document=document, base_revision=1, note="the second")


def test_a_label_moves_in_a_dialog_that_says_from_where_to_where(site: Site) -> None:
    second_revision(site)
    services.move_label(site.alice.actor, item=house(site), name="production", number=1)
    page = site.open(HOUSE)
    page.wait_for_selector(PROMPT)
    page.click(".head a.chip:has-text('production')")
    page.wait_for_selector("#sheet[open]")
    page.click("#sheet button:has-text('production: 1 → 2')")
    page.wait_for_selector("text=production: 1 → 2. The next request uses it.")
    page.goto(site.url + HOUSE + "revisions/")
    page.click("tbody tr:last-child a:has-text('Label')")
    page.wait_for_selector("#sheet[open]")
    page.fill("#label-new", "staging")
    page.click("#sheet button:has-text('New label on revision 1')")
    page.wait_for_selector("text=The new label staging points at revision 1.")
    assert dict(house(site).labels.values_list("name", "number")) == {"production": 2, "staging": 1}


def test_without_scripts_a_label_moves_on_a_page(site: Site) -> None:
    second_revision(site)
    services.move_label(site.alice.actor, item=house(site), name="production", number=1)
    page = site.open(HOUSE, java_script_enabled=False)
    page.click(".head a.chip:has-text('production')")
    page.click("button:has-text('production: 1 → 2')")
    assert dict(house(site).labels.values_list("name", "number")) == {"production": 2}


def test_two_revisions_are_chosen_and_compared(site: Site) -> None:
    second_revision(site)
    page = site.open(HOUSE + "revisions/")
    page.click("text=Compare the two chosen")
    page.wait_for_selector(".diff ins:has-text('second')")
    page.click("nav.tabs >> text=Rendered prompt")
    page.wait_for_selector(".diff ins:has-text('second')")
    page.click("text=Restore revision 1")
    page.wait_for_selector("text=Revision 1 is back as revision 3.")


def test_ticked_rows_are_tagged_and_archived(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/?q=house&origin=team")
    assert page.locator(".bulkbar").is_hidden()
    page.check("[aria-label^='Tick ']:not([data-tick-all])")
    assert page.locator(".bulkbar").is_visible()
    page.fill("#bulk-tag", "tried")
    page.click(".bulkbar >> text=Add tag")
    page.wait_for_selector("td a:has-text('tried')")
    page.check("[data-tick-all]")
    page.click(".bulkbar >> text=Archive")
    page.wait_for_selector("text=1 object is archived.")
    assert house_is_archived(site)


def house_is_archived(site: Site) -> bool:
    return bool(selectors.get_item(site.alice.actor, kind=KIND, slug="house", archived=True).is_archived)


def test_two_browsers_edit_one_format_at_once_and_nothing_is_lost(site: Site) -> None:
    make_house(site)
    one, other = site.open(HOUSE), site.open(HOUSE)
    for page in (one, other):
        page.wait_for_selector(PROMPT)
    put(one, "user", "first {{{content}}}")
    put(other, "user", "second {{{content}}}")
    one.keyboard.press("Control+s")
    one.wait_for_selector("text=Saved as revision 2.")
    other.keyboard.press("Control+s")
    other.wait_for_selector("#conflict")
    site.complaints.clear()  # the 409 itself is in the console, and nothing else should be
    assert other.locator("#conflict del").first.inner_text() == "first"
    assert other.locator("#conflict ins").first.inner_text() == "second"
    assert "second {{{content}}}" in editor(other, "user").inner_text()
    assert stored(site)["user"] == "first {{{content}}}"
    other.keyboard.press("Control+s")
    other.wait_for_selector("text=Saved as revision 3.")
    assert stored(site)["user"] == "second {{{content}}}"
    texts = [selectors.document(house(site), row)["user"] for row in house(site).revisions.order_by("number")]
    assert texts[1:] == ["first {{{content}}}", "second {{{content}}}"]


def test_a_preset_is_made_in_fields_and_a_character_as_json(site: Site) -> None:
    page = site.open("/t/tavern/presets/new/")
    page.fill("#slug", "writing")
    page.fill("#f-name", "Writing")
    page.fill("#f-instructFormat", "chatml")
    page.keyboard.press("Control+s")
    page.wait_for_selector("text=Saved as revision 1.")
    page.click("text=Make active")
    page.wait_for_selector(".chip.on:has-text('active')")
    page.goto(site.url + "/t/tavern/characters/new/?view=json")
    page.fill("#slug", "mira")
    page.locator("#f-json + .cm-editor .cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text('{"kind": "character", "version": 1, "name": "Mira"}')
    page.keyboard.press("Control+s")
    page.wait_for_selector("h1:has-text('Mira')")
    page.keyboard.press("Control+k")
    page.keyboard.type("writing")
    page.wait_for_selector("#found .at:has-text('Writing')")
    page.keyboard.press("Enter")
    page.wait_for_url("**/presets/writing/")
    until(page, "document.querySelector('#f-instructFormat').value === 'chatml'")
