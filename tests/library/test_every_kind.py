"""Create, save, conflict, restore, archive and 404, for every registered kind and for one made up here."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from neotavern.accounts.models import AuditEntry
from neotavern.ground.errors import AppError
from neotavern.library import kinds, selectors, services
from neotavern.library.kinds import Kind
from neotavern.library.models import Item
from tests.library.samples import NOTE, all_kinds, document_of
from tests.teams import TeamMixin

EVERY_KIND = pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.name)
KINDS_WITH_A_PATH = pytest.mark.parametrize(
    "kind", [kind for kind in all_kinds() if kind.plural_path], ids=lambda kind: kind.name
)


@pytest.fixture
def note_kind() -> Any:
    kinds.unregister(NOTE.name)
    kinds.register(NOTE)
    yield
    kinds.unregister(NOTE.name)


@pytest.fixture
def people(db: None, note_kind: None) -> TeamMixin:
    mixin = TeamMixin()
    mixin.client = Client()
    mixin.make_people()
    return mixin


def create(people: TeamMixin, kind: Kind) -> Item:
    slug, document = document_of(kind, 1)
    return services.create(people.alice.actor, kind=kind.name, document=document, slug=slug).item


def refusal(call: Any, *args: Any, **named: Any) -> tuple[str, dict[str, Any]]:
    with pytest.raises(AppError) as raised:
        call(*args, **named)
    return raised.value.code.value, raised.value.params


@EVERY_KIND
def test_create_makes_revision_1(people: TeamMixin, kind: Kind) -> None:
    item = create(people, kind)
    revision = selectors.revision(item)
    assert (revision.number, revision.author_name, item.head, item.row_version) == (1, "alice", 1, 1)
    assert selectors.document(item, revision) == document_of(kind, 1)[1]


@EVERY_KIND
def test_a_taken_slug_is_a_conflict(people: TeamMixin, kind: Kind) -> None:
    item = create(people, kind)
    assert refusal(create, people, kind) == ("CONFLICT", {"slug": item.slug})


@EVERY_KIND
def test_save_makes_the_next_revision_and_an_equal_one_makes_none(people: TeamMixin, kind: Kind) -> None:
    item = create(people, kind)
    changed = document_of(kind, 2)[1]
    saved = services.save(people.alice.actor, item=item, document=changed, base_revision=1)
    again = services.save(people.alice.actor, item=item, document=changed, base_revision=2)
    assert (saved.revision.number, saved.is_new) == (2, True)
    assert (again.revision.number, again.is_new, again.item.row_version) == (2, False, 2)


@EVERY_KIND
def test_a_stale_base_is_a_conflict_even_with_equal_content(people: TeamMixin, kind: Kind) -> None:
    item = create(people, kind)
    services.save(people.alice.actor, item=item, document=document_of(kind, 2)[1], base_revision=1)
    equal = document_of(kind, 2)[1]
    stale = refusal(services.save, people.alice.actor, item=item, document=equal, base_revision=1)
    assert stale == ("CONFLICT", {"currentRevision": 2})
    gone = refusal(services.save, people.alice.actor, item=item, document=equal, if_match='"old"')
    assert gone == ("PRECONDITION_FAILED", {"currentRevision": 2})


@EVERY_KIND
def test_restore_makes_a_new_revision(people: TeamMixin, kind: Kind) -> None:
    item = create(people, kind)
    services.save(people.alice.actor, item=item, document=document_of(kind, 2)[1], base_revision=1)
    restored = services.restore(people.alice.actor, item=item, number=1)
    assert (restored.revision.number, restored.revision.note) == (3, "Restored from revision 1")
    assert selectors.document(item, restored.revision) == document_of(kind, 1)[1]
    assert refusal(services.restore, people.alice.actor, item=item, number=9)[0] == "NOT_FOUND"


@EVERY_KIND
def test_archive_hides_and_unarchive_brings_back(people: TeamMixin, kind: Kind) -> None:
    item = create(people, kind)
    services.archive(people.alice.actor, item=item)
    assert refusal(selectors.get_item, people.alice.actor, kind=kind.name, slug=item.slug)[0] == "NOT_FOUND"
    changed = document_of(kind, 2)[1]
    kept = refusal(services.save, people.alice.actor, item=item, document=changed, base_revision=1)
    assert kept == ("CONFLICT", {"slug": item.slug, "archived": True})
    services.unarchive(people.alice.actor, item=item)
    assert selectors.get_item(people.alice.actor, kind=kind.name, slug=item.slug) == item


@EVERY_KIND
def test_another_team_finds_nothing_and_a_viewer_writes_nothing(people: TeamMixin, kind: Kind) -> None:
    item = create(people, kind)
    assert refusal(selectors.get_item, people.charlie.actor, kind=kind.name, slug=item.slug) == (
        "NOT_FOUND",
        {"slug": item.slug},
    )
    bob, changed = people.bob.actor, document_of(kind, 2)[1]
    for call, named in [
        (services.save, {"item": item, "document": changed, "base_revision": 1}),
        (services.restore, {"item": item, "number": 1}),
        (services.archive, {"item": item}),
        (services.unarchive, {"item": item}),
        (services.delete, {"item": item}),
        (services.clone, {"item": item, "slug": "copy"}),
        (services.move_label, {"item": item, "name": "production", "number": 1}),
        (services.delete_label, {"item": item, "name": "production"}),
    ]:
        assert refusal(call, bob, **named)[0] == "FORBIDDEN", call


@EVERY_KIND
def test_every_change_leaves_an_audit_entry(people: TeamMixin, kind: Kind) -> None:
    item = create(people, kind)
    services.save(people.alice.actor, item=item, document=document_of(kind, 2)[1], base_revision=1)
    services.restore(people.alice.actor, item=item, number=1)
    services.move_label(people.alice.actor, item=item, name="production", number=2)
    services.delete_label(people.alice.actor, item=item, name="production")
    services.archive(people.alice.actor, item=item)
    services.unarchive(people.alice.actor, item=item)
    services.delete(people.alice.actor, item=item)
    entries = AuditEntry.objects.filter(item_kind=kind.name, item_slug=item.slug).order_by("id")
    assert list(entries.values_list("action", "from_number", "to_number", "actor_name", "via")) == [
        ("item.create", None, 1, "alice", "browser"),
        ("item.save", 1, 2, "alice", "browser"),
        ("item.restore", 2, 3, "alice", "browser"),
        ("label.move", None, 2, "alice", "browser"),
        ("label.delete", 2, None, "alice", "browser"),
        ("item.archive", 3, None, "alice", "browser"),
        ("item.unarchive", None, 3, "alice", "browser"),
        ("item.delete", 3, None, "alice", "browser"),
    ]


@KINDS_WITH_A_PATH
@pytest.mark.urls("tests.library.note_urls")
def test_the_same_over_http(people: TeamMixin, kind: Kind) -> None:
    base = f"/{'made-up' if kind is NOTE else 'api/v1'}/{kind.plural_path}"
    alice, first, second = people.alice, document_of(kind, 1)[1], document_of(kind, 2)[1]
    url = f"{base}/{first['id']}"
    assert people.post(alice, base, {"document": first}).status_code == 201
    people.assert_error(people.post(alice, base, {"document": first}), 409, "CONFLICT", {"slug": first["id"]})
    assert people.put(alice, url, {"document": second, "baseRevision": 1}).json()["revision"] == 2
    stale = people.put(alice, url, {"document": first, "baseRevision": 1})
    people.assert_error(stale, 409, "CONFLICT", {"currentRevision": 2})
    assert people.post(alice, f"{url}/revisions/1/restore").json()["document"] == first
    people.assert_error(people.get(people.charlie, url), 404, "NOT_FOUND", {"slug": first["id"]})
    assert people.delete(alice, url).status_code == 204
    assert people.get(alice, url).json()["archived"] is True
    assert people.delete(alice, f"{url}?permanent=true").status_code == 204
    people.assert_error(people.get(alice, url), 404, "NOT_FOUND", {"slug": first["id"]})
