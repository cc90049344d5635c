"""Two and more writers at once, as real threads: no two equal numbers, no lost update."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.db import connections
from django.test import TransactionTestCase

from formats.selectors import team_settings
from formats.services.settings import patch_settings
from neotavern.accounts.models import AuditEntry, Team
from neotavern.ground.errors import AppError
from neotavern.library import selectors, services
from neotavern.library.models import Item, Revision
from tests.library.samples import NoteKind, note
from tests.teams import Person, TeamMixin

THREADS = 8


def race(work: Callable[[int], Any]) -> list[Any]:
    """Run `work(0)` … `work(7)` at the same moment; return what each gave, AppErrors as their code."""
    answers: list[Any] = [None] * THREADS
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        try:
            start.wait(10)
            answers[number] = work(number)
        except AppError as error:
            answers[number] = error.code.value
        except Exception as error:  # noqa: BLE001 - the assertion shows it
            answers[number] = repr(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


class SimultaneousSaves(NoteKind, TeamMixin, TransactionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.make_people()
        self.actor = self.alice.actor
        self.item = services.create(self.actor, kind="note", document=note(text="0")).item

    def numbers(self) -> list[int]:
        return list(Revision.objects.filter(item=self.item).order_by("number").values_list("number", flat=True))

    def test_of_writers_with_the_same_base_one_wins_and_the_others_are_told(self) -> None:
        def save(number: int) -> int:
            text = note(text=f"by {number}")
            return services.save(self.actor, item=self.item, document=text, base_revision=1).revision.number

        answers = race(save)
        self.assertEqual(sorted(map(str, answers)), ["2", *["CONFLICT"] * (THREADS - 1)])
        self.assertEqual(self.numbers(), [1, 2])

    def test_writers_that_read_again_after_a_conflict_all_get_a_number_of_their_own(self) -> None:
        def save(number: int) -> int:
            for _ in range(200):
                current = selectors.get_item(self.actor, kind="note", slug="shop")
                try:
                    saved = services.save(
                        self.actor,
                        item=current,
                        document=note(text=f"by {number}"),
                        base_revision=current.last_number,
                    )
                except AppError:
                    continue
                return saved.revision.number
            raise AssertionError("never got through")

        answers = race(save)
        self.assertEqual(sorted(answers), list(range(2, THREADS + 2)))
        self.assertEqual(self.numbers(), list(range(1, THREADS + 2)))
        item = Item.objects.get(pk=self.item.pk)
        self.assertEqual((item.last_number, item.head, item.row_version), (9, 9, 9))

    def test_one_slug_is_created_once(self) -> None:
        def create(number: int) -> int:
            return services.create(self.actor, kind="note", document=note("fresh", str(number))).revision.number

        self.assertEqual(sorted(map(str, race(create))), ["1", *["CONFLICT"] * (THREADS - 1)])

    def test_patches_of_different_settings_are_all_kept(self) -> None:
        fields: list[dict[str, Any]] = [
            {"serializeAsText": True},
            {"infill": "keyword"},
            {"maxContextTokens": 8192},
            {"reserveForReply": 512},
            {"contextStrategy": "manual"},
            {"variables": {"place": "café"}},
            {"serializeAsText": True},
            {"infill": "keyword"},
        ]
        answers = race(lambda number: patch_settings(self.actor, fields[number]).revision)
        self.assertEqual([answer for answer in answers if not isinstance(answer, int)], [])
        self.assertEqual(
            team_settings(self.actor).document,
            {
                "instructFormat": None,
                "contextTemplate": None,
                "promptConfig": None,
                "preset": None,
                "serializeAsText": True,
                "variables": {"place": "café"},
                "infill": "keyword",
                "contextStrategy": "manual",
                "contextCut": None,
                "maxContextTokens": 8192,
                "reserveForReply": 512,
            },
        )
        self.assertEqual(team_settings(self.actor).revision, 6)

    def test_a_note_is_not_archived_while_another_begins_to_use_it(self) -> None:
        def work(number: int) -> str:
            if number % 2:
                services.archive(self.actor, item=self.item)
                return "archived"
            services.create(self.actor, kind="note", document=note(f"user-{number}", see="shop"))
            return "used"

        answers = race(work)
        self.assertIn(set(answers), [{"archived", "VALIDATION"}, {"used", "CONFLICT"}])

    def test_label_moves_and_saves_at_once_lose_nothing(self) -> None:
        """Four people save and four move one label: every change counts once."""

        def work(number: int) -> str:
            if number % 2:
                services.move_label(self.actor, item=self.item, name="production", number=1)
                services.move_label(self.actor, item=self.item, name=f"label-{number}", number=1)
                return "moved"
            for _ in range(200):
                current = selectors.get_item(self.actor, kind="note", slug="shop")
                try:
                    document = note(text=f"by {number}")
                    services.save(self.actor, item=current, document=document, base_revision=current.last_number)
                except AppError:
                    continue
                return "saved"
            raise AssertionError("never got through")

        self.assertEqual(sorted(race(work)), ["moved"] * 4 + ["saved"] * 4)
        item = Item.objects.get(pk=self.item.pk)
        labels = dict(item.labels.values_list("name", "number"))
        self.assertEqual(labels, dict.fromkeys(["label-1", "label-3", "label-5", "label-7", "production"], 1))
        self.assertEqual((item.last_number, item.head, self.numbers()), (5, 5, [1, 2, 3, 4, 5]))
        self.assertEqual(item.row_version, 1 + 4 + 5)
        moves = AuditEntry.objects.filter(action="label.move", before="", after="production")
        self.assertEqual(moves.count(), 1)

    def test_a_label_moves_to_and_fro_and_each_says_where_it_was(self) -> None:
        services.save(self.actor, item=self.item, document=note(text="1"), base_revision=1)
        race(lambda number: services.move_label(self.actor, item=self.item, name="live", number=1 + number % 2))
        trail = AuditEntry.objects.filter(action="label.move").order_by("id").values_list("from_number", "to_number")
        steps = list(trail)
        self.assertEqual([step[0] for step in steps], [None, *(step[1] for step in steps[:-1])])
        self.assertEqual(self.item.labels.get().number, steps[-1][1])

    def test_tags_put_on_while_others_save_are_kept(self) -> None:
        def work(number: int) -> Any:
            if number:
                return services.add_tag(self.actor, item=self.item, tag=f"tag {number}")
            document = note(text="new", tags=["doc"])
            return services.save(self.actor, item=self.item, document=document, base_revision=1).is_new

        self.assertEqual(race(work), [True] * THREADS)
        tags = selectors.tags_of(self.item)
        self.assertEqual(tags, ["doc", *(f"tag {number}" for number in range(1, THREADS))])
        page = selectors.list_items(self.actor, kind="note", search="tag 7 doc").items
        self.assertEqual([one["slug"] for one in page], ["shop"])

    def test_a_protected_label_stays_put_while_an_editor_tries(self) -> None:
        Team.objects.filter(pk=self.team.pk).update(policy='{"protectedLabels":["production"]}')
        editor = Person("edith", self.team, "editor").actor
        services.save(self.actor, item=self.item, document=note(text="1"), base_revision=1)

        def work(number: int) -> Any:
            who, to = (self.actor, 2) if number % 2 else (editor, 1)
            return services.move_label(who, item=self.item, name="production", number=to).revision

        self.assertEqual(race(work), ["FORBIDDEN", 2] * (THREADS // 2))
        self.assertEqual(self.item.labels.get().number, 2)
