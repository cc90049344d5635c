"""People, keys, audit trail and account in a real browser: no complaints, axe, 390 px, keyboard alone, no scripts."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache

from neotavern.accounts.models import ApiKey, Membership
from neotavern.accounts.services import invitations, keys
from tests.browser.conftest import AXE, Site

PAGES = [
    "/login/",
    "/password/reset/",
    "/t/tavern/people/",
    "/t/tavern/people/bob/remove/",
    "/t/tavern/keys/",
    "/t/tavern/audit/",
    "/t/tavern/audit/?kind=nothing-like-it",
    "/t/tavern/team/",
    "/account/",
    "/account/teams/new/",
]


def fill(site: Site) -> None:
    """Give the pages something to show."""
    cache.clear()
    invitations.invite(actor=site.alice.actor, role="editor", note="Joaquín, front end")
    made = keys.make_key(actor=site.alice.actor, name="chat front end, staging", scopes=["render"])
    keys.revoke_key(actor=site.alice.actor, key_id=made.id)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: `npm install` brings it")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(site: Site, scheme: Any) -> None:
    fill(site)
    found = []
    page = site.open(PAGES[2], color_scheme=scheme)
    for path in PAGES:
        page.goto(site.url + path)
        page.evaluate(AXE.read_text())
        result = page.evaluate("axe.run({ resultTypes: ['violations'] })")
        found += [(path, one["id"], [node["target"] for node in one["nodes"]][:3]) for one in result["violations"]]
    assert found == []


def test_nothing_is_wider_than_a_telephone(site: Site) -> None:
    fill(site)
    page = site.open(PAGES[2], width=390)
    for path in PAGES:
        page.goto(site.url + path)
        assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, 390)


def test_a_key_is_made_and_copied_by_keyboard_alone(site: Site) -> None:
    page = site.open("/t/tavern/keys/")
    page.focus("#key-name")
    page.keyboard.type("front end")
    page.keyboard.press("Enter")
    page.wait_for_selector("#key")
    page.focus("[data-copy=key]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-copy=key]:has-text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()") == page.inner_text("#key")
    assert ApiKey.objects.get(name="front end").scopes == "render"


def test_the_trail_narrows_while_typing(site: Site) -> None:
    fill(site)
    page = site.open("/t/tavern/audit/")
    page.select_option("select[name=action]", "key.revoke")
    page.wait_for_selector("#trail tbody tr:only-child code:has-text('key.revoke')")
    assert "action=key.revoke" in page.url


def test_without_scripts_a_role_is_changed_and_a_link_made(site: Site) -> None:
    page = site.open("/t/tavern/people/", java_script_enabled=False)
    page.select_option("select[aria-label='Role of bob']", "editor")
    page.click("[aria-label='Change the role of bob']")
    assert Membership.objects.get(user=site.bob.user).role == "editor"
    page.click("text=Make a link")
    assert "/invitation/" in page.inner_text("#link")


def test_a_removal_is_asked_for_and_can_be_left(site: Site) -> None:
    page = site.open("/t/tavern/people/")
    page.click("[aria-label='Remove bob']")
    page.click("text=Cancel")
    assert Membership.objects.filter(user=site.bob.user).exists()
    page.click("[aria-label='Remove bob']")
    page.click("main button.danger")
    page.wait_for_selector("text=bob is no member any more")
    assert not Membership.objects.filter(user=site.bob.user).exists()


def test_the_administration_obeys_the_policy_of_pages(site: Site) -> None:
    site.alice.user.is_staff = site.alice.user.is_superuser = True
    site.alice.user.save()
    page = site.open("/admin/")
    for path in ("accounts/user/", f"accounts/user/{site.alice.user.pk}/change/", "accounts/team/"):
        page.goto(f"{site.url}/admin/{path}")
        assert page.locator("#content h1").count() == 1
