"""Every page: no complaints in the console, nothing for axe to find, usable by keyboard and at 390 px."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import AXE, Site, until
from tests.browser.test_workbench import PROMPT, make_house

PAGES = [
    "/t/tavern/formats/",
    "/t/tavern/formats/?q=nothing-like-it",
    "/t/tavern/formats/chatml/",
    "/t/tavern/formats/house/",
    "/t/tavern/formats/house/revisions/",
    "/t/tavern/formats/house/clone/",
    "/t/tavern/formats/new/",
    "/t/tavern/formats/import/",
    "/t/tavern/settings/",
    "/t/tavern/search/?q=chat",
    "/t/tavern/formats/house/diff/",
    "/t/tavern/formats/house/diff/?tab=document",
    "/t/tavern/formats/house/diff/?tab=prompt",
    "/t/tavern/formats/house/labels/?to=1",
    "/t/tavern/formats/?archived=1",
    "/t/tavern/presets/",
    "/t/tavern/presets/new/",
    "/t/tavern/characters/new/",
    "/t/tavern/settings/me/",
    "/t/tavern/settings/team/revisions/",
    "/t/tavern/imports/",
    "/account/password/",
]


def settle(page: Any) -> None:
    """Wait until a page with a prompt has it, and open what is closed."""
    if page.locator("#prompt-pane").count():
        page.wait_for_selector(PROMPT, state="attached")
        page.evaluate("document.querySelectorAll('details:not(.menu)').forEach((one) => { one.open = true; })")
        page.wait_for_timeout(150)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: `npm install` brings it")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(site: Site, scheme: Any) -> None:
    make_house(site)
    found = []
    page = site.open(PAGES[0], color_scheme=scheme)
    for path in PAGES:
        page.goto(site.url + path)
        settle(page)
        page.evaluate(AXE.read_text())
        result = page.evaluate("axe.run({ resultTypes: ['violations'] })")
        for one in result["violations"]:
            found.append((path, one["id"], [node["target"] for node in one["nodes"]][:3]))
    assert found == []


def test_nothing_is_wider_than_a_telephone(site: Site) -> None:
    make_house(site)
    page = site.open(PAGES[0], width=390)
    for path in PAGES:
        page.goto(site.url + path)
        settle(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert (path, width) == (path, 390)


def test_on_a_telephone_editor_and_prompt_are_tabs(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/", width=390)
    assert page.locator("#editor").is_visible()
    assert page.locator("#prompt-pane").is_hidden()
    page.click("[role=tab][data-pane=prompt]")
    page.wait_for_selector(PROMPT)
    assert page.locator("#editor").is_hidden()


def test_search_opens_by_key_and_leads_to_the_format(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/")
    page.keyboard.press("/")
    page.wait_for_selector("#palette[open]")
    page.keyboard.type("house")
    page.wait_for_selector("#found .at:has-text('House')")
    page.keyboard.press("Enter")
    page.wait_for_url("**/formats/house/")


def test_the_question_mark_shows_the_keys(site: Site) -> None:
    page = site.open("/t/tavern/formats/")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#keys").is_hidden()


def test_the_list_narrows_while_typing(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/")
    page.fill("#q", "house")
    until(page, "document.querySelectorAll('#rows tbody tr').length === 1")
    assert page.url.endswith("?q=house&origin=")


def test_the_first_tab_stop_skips_to_the_content(site: Site) -> None:
    page = site.open("/t/tavern/formats/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_the_theme_is_switched_and_kept(site: Site) -> None:
    page = site.open("/t/tavern/formats/")
    page.click("summary.avatar")
    page.select_option("[data-theme-switch]", "dark")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_language_is_switched(site: Site) -> None:
    page = site.open("/t/tavern/formats/")
    page.click("summary.avatar")
    page.select_option("select[name=language]", "fr")
    page.wait_for_selector("html[lang=fr]", state="attached")


def test_without_scripts_a_format_is_read_changed_and_saved(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/", java_script_enabled=False)
    page.fill("#f-user", "plain {{{content}}}\n")
    page.click("#editor .savebar .primary")
    assert "Saved as revision 2." in page.content()
    assert page.input_value("#f-user") == "plain {{{content}}}\n"
    page.click("text=Show the prompt")
    assert "plain Then take me there." in page.locator("[data-prompt]").inner_text()


def test_motion_rests_when_asked(site: Site) -> None:
    page = site.open("/t/tavern/formats/chatml/", reduced_motion="reduce")
    durations = page.evaluate(
        "[...document.querySelectorAll('*')].map((one) => getComputedStyle(one).transitionDuration)"
    )
    assert {float(part.strip().rstrip("s")) for text in durations for part in text.split(",")} == {0.0}
