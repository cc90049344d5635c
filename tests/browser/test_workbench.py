"""The workbench as a person uses it: type, see the prompt follow, break it, mend it, save it."""

from __future__ import annotations

import json
from typing import Any

from chats.samples import sample
from chats.services.render import ActorCaller, RenderRequest, answer
from neotavern.library import selectors, services
from tests.browser.conftest import Site, until

KIND = "instruct-format"
PROMPT = "#prompt-output [data-prompt]"


def make_house(site: Site) -> None:
    item = selectors.get_item(site.alice.actor, kind=KIND, slug="chatml")
    services.clone(site.alice.actor, item=item, slug="house")


def stored(site: Site) -> dict[str, Any]:
    item = selectors.get_item(site.alice.actor, kind=KIND, slug="house")
    return selectors.document(item, selectors.revision(item))


def editor(page: Any, field: str) -> Any:
    return page.locator(f"#f-{field} + .cm-editor .cm-content")


def put(page: Any, field: str, text: str) -> None:
    """Replace the text of a template field by pasting, as brackets typed would close themselves."""
    editor(page, field).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)


def prompt(page: Any) -> str:
    text: str = page.locator(PROMPT).evaluate("element => element.textContent")
    return text


def rendered(site: Site, document: dict[str, Any], name: str = "ferry") -> str:
    request = RenderRequest.model_validate({"format": document, **sample(name)})
    return answer(ActorCaller(site.alice.actor), request).prompt or ""


def test_the_prompt_follows_the_typing(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    assert prompt(page) == rendered(site, stored(site))
    for mark in ("<first>", "<second>"):
        put(page, "user", mark + "{{{content}}}\n")
        until(page, f"document.querySelector('[data-prompt]').textContent.includes('{mark}')")
        assert prompt(page) == rendered(site, stored(site) | {"user": mark + "{{{content}}}\n"})


def test_a_broken_template_keeps_the_last_good_prompt_and_marks_the_place(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    good = prompt(page)
    put(page, "user", "first line\n{{contnet}}")
    page.wait_for_selector("#prompt-pane.held")
    assert prompt(page) == good
    message = page.locator(".field:has(#f-user) .msg.error").inner_text()
    assert "Line 2" in message
    assert "content" in message
    assert page.locator("#f-user + .cm-editor .cm-line:nth-child(2) .cm-lintRange-error").count() == 1
    assert editor(page, "user").get_attribute("aria-invalid") == "true"
    put(page, "user", "{{{content}}}\n")
    page.wait_for_selector("#prompt-pane:not(.held)")
    assert page.locator(".field:has(#f-user) .msg.error").count() == 0


def test_save_by_keyboard_and_make_active(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    put(page, "promptSuffix", "<|im_start|>assistant\nWell, ")
    page.wait_for_selector("[data-unsaved]:visible")
    page.keyboard.press("Control+s")
    page.wait_for_selector("text=Saved as revision 2.")
    assert stored(site)["promptSuffix"] == "<|im_start|>assistant\nWell, "
    assert page.locator(".chip[data-unsaved]").is_hidden()
    page.click("text=Make active")
    page.wait_for_selector(".chip.on:has-text('active')")


def test_what_was_typed_survives_a_reload_and_can_be_discarded(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    put(page, "user", "draft {{{content}}}")
    page.wait_for_selector("[data-unsaved]:visible")
    page.reload()
    page.wait_for_selector("[data-draft-notice]:visible")
    assert "draft" in editor(page, "user").inner_text()
    until(page, "document.querySelector('[data-prompt]')?.textContent.includes('draft ')")
    page.locator("[data-draft-notice] [data-discard]").click()
    page.wait_for_selector(PROMPT)
    assert "draft" not in editor(page, "user").inner_text()
    page.reload()
    page.wait_for_selector(PROMPT)
    assert page.locator("[data-draft-notice]").is_hidden()


def test_a_copy_is_the_very_bytes_with_no_marks(site: Site) -> None:
    page = site.open("/t/tavern/formats/llama3/")
    page.wait_for_selector(PROMPT)
    page.select_option("#o-sample", "edges")
    until(page, "document.querySelector('[data-prompt]').textContent.includes('white space')")
    document = json.loads(page.locator("input[name=base]").input_value())
    expected = rendered(site, document, "edges")
    page.click("[data-copy]")
    page.wait_for_selector("text=Copied")
    assert page.evaluate("navigator.clipboard.readText()") == expected
    assert prompt(page) == expected
    page.evaluate("getSelection().selectAllChildren(document.querySelector('[data-prompt]'))")
    assert "↵" not in page.evaluate("String(getSelection())")


def test_a_piece_names_its_origin_and_leads_there(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    piece = page.locator(f"{PROMPT} .seg.mk[data-field=user]").first
    piece.hover()
    assert page.locator("[data-origin-line]").inner_text() == "User (user) · message 3, user"
    piece.click()
    until(page, "document.activeElement.closest('.field')?.querySelector('#f-user')")
    page.locator(PROMPT).focus()
    page.keyboard.press("ArrowRight")
    assert "message 3, user" in page.locator("[data-origin-line]").inner_text()


def test_own_conversation_stays_in_the_browser(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    page.select_option("#o-sample", "own")
    page.fill("#o-messages", "system: Short.\nuser: A very own question")
    until(page, "document.querySelector('[data-prompt]').textContent.includes('very own')")
    page.reload()
    until(page, "document.querySelector('[data-prompt]')?.textContent.includes('very own')")
    assert page.input_value("#o-messages") == "system: Short.\nuser: A very own question"


def test_completion_offers_variables_and_helpers(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    put(page, "user", "")
    page.keyboard.type("{{co")
    page.wait_for_selector(".cm-tooltip-autocomplete")
    assert "content" in page.locator(".cm-tooltip-autocomplete").inner_text()
    page.keyboard.press("Enter")
    assert "{{content" in editor(page, "user").inner_text()


def test_modes_show_messages_and_requests_of_providers(site: Site) -> None:
    page = site.open("/t/tavern/formats/chatml/")
    page.wait_for_selector(PROMPT)
    assert page.locator("[name='o.provider']").is_hidden()
    page.click(".tabs >> text=Messages")
    page.wait_for_selector("ol.messages")
    assert page.locator("ol.messages li").count() == 7
    page.click(".tabs >> text=Request")
    page.wait_for_selector("pre.prompt")
    page.select_option("[name='o.provider']", "anthropic")
    until(page, "document.querySelector('.request-note')?.textContent.includes('/v1/messages')")
    assert "You are Mira" in json.dumps(json.loads(prompt(page))["system"])
    page.select_option("[name='o.provider']", "koboldai")
    until(page, "document.querySelector('[data-prompt]').textContent.includes('stop_sequence')")


def test_a_viewer_tries_conversations_and_changes_nothing(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/", site.bob)
    page.wait_for_selector(PROMPT)
    assert page.locator("[data-key-save]").count() == 0
    editor(page, "user").click()
    page.keyboard.type("xyz")
    assert "xyz" not in editor(page, "user").inner_text()
    page.select_option("#o-sample", "unicode")
    until(page, "document.querySelector('[data-prompt]').textContent.includes('日本語')")


def test_a_conflict_shows_both_texts_and_keeps_mine(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    put(page, "user", "mine {{{content}}}")
    item = selectors.get_item(site.alice.actor, kind=KIND, slug="house")
    theirs = stored(site) | {"user": "theirs {{{content}}}"}
    services.save(site.alice.actor, item=item, document=theirs, base_revision=1)
    page.keyboard.press("Control+s")
    page.wait_for_selector("#conflict")
    assert "theirs {{{content}}}" in page.locator("#conflict").inner_text()
    assert "mine {{{content}}}" in editor(page, "user").inner_text()
    site.complaints.clear()  # the 409 itself is in the console, and nothing else should be
    page.keyboard.press("Control+s")
    page.wait_for_selector("text=Saved as revision 3.")
    assert stored(site)["user"] == "mine {{{content}}}"


def test_a_late_answer_never_replaces_a_newer_one(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    held: list[Any] = []

    def first_waits(route: Any) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/preview/", first_waits)
    put(page, "user", "zebra {{{content}}}")
    page.wait_for_timeout(300)
    assert len(held) == 1
    put(page, "user", "otter {{{content}}}")
    until(page, "document.querySelector('[data-prompt]').textContent.includes('otter ')")
    page.wait_for_timeout(100)
    assert "otter " in prompt(page)
    assert "zebra " not in prompt(page)
    assert "held" not in (page.locator("#prompt-pane").get_attribute("class") or "").split()


def test_by_keyboard_alone_from_list_to_saved(site: Site) -> None:
    page = site.open("/t/tavern/formats/")
    page.keyboard.press("Control+k")
    page.keyboard.type("chatml")
    page.wait_for_selector("#found .at:has-text('ChatML')")
    page.keyboard.press("Enter")
    page.wait_for_url("**/formats/chatml/")
    tab_to(page, "Clone to change")
    page.keyboard.press("Enter")
    page.wait_for_url("**/clone/")
    until(page, "document.activeElement?.id === 'slug'")
    page.keyboard.press("Control+A")
    page.keyboard.type("mine")
    page.keyboard.press("Enter")
    page.wait_for_url("**/formats/mine/")
    page.wait_for_selector(PROMPT)
    tab_to(page, "User user")
    page.keyboard.press("Control+End")
    page.keyboard.type("!")
    until(page, "document.querySelector('[data-prompt]').textContent.includes('!')")
    page.keyboard.press("Tab")  # an editor is no trap
    assert page.evaluate("document.activeElement.closest('.field')?.querySelector('#f-user')") is None
    page.keyboard.press("Control+Enter")
    assert page.evaluate("document.activeElement.hasAttribute('data-prompt')")
    page.keyboard.press("Control+s")
    page.wait_for_selector("text=Saved as revision 2.")


def tab_to(page: Any, name: str) -> None:
    """Press Tab until the focus is on what is called `name`."""
    find = "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(find) == name:
            return
    raise AssertionError(f"no Tab stop is called {name!r}")


def test_a_server_that_does_not_answer_is_said_and_the_prompt_stays(site: Site) -> None:
    make_house(site)
    page = site.open("/t/tavern/formats/house/")
    page.wait_for_selector(PROMPT)
    good = prompt(page)
    page.route("**/preview/", lambda route: route.abort())
    put(page, "user", "gone {{{content}}}")
    page.wait_for_selector("text=The server does not answer.")
    assert prompt(page) == good
    page.unroute("**/preview/")
    put(page, "user", "back {{{content}}}")
    until(page, "document.querySelector('[data-prompt]').textContent.includes('back ')")
    assert page.locator("[data-held]").is_hidden()
    site.complaints[:] = [one for one in site.complaints if "Failed to load resource" not in one]
