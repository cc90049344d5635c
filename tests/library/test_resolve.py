"""The hot query: who asks, what each reference means, and by which index it is found."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

from django.db import DatabaseError, connection
from django.test import TestCase
from django.utils import timezone

from neotavern.accounts import key_use
from neotavern.accounts import selectors as accounts
from neotavern.accounts.models import ApiKey
from neotavern.accounts.services import keys
from neotavern.ground.errors import AppError
from neotavern.library import resolve, services
from neotavern.library.models import Item, Revision
from neotavern.library.resolve import KeyCaller, MemberCaller, Ref, TeamCaller
from neotavern.library.services.builtins import load
from tests.library.samples import NoteKind, note
from tests.teams import TeamMixin, TeamTestCase


class ResolveTests(NoteKind, TeamTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.item = services.create(self.alice.actor, kind="note", document=note(text="one")).item
        for number, text in enumerate(["two", "bad three"], start=1):
            services.save(self.alice.actor, item=self.item, document=note(text=text), base_revision=number)
        services.move_label(self.alice.actor, item=self.item, name="production", number=1)

    def numbers(self, caller: resolve.Caller, *texts: str) -> list[int | None]:
        answer = resolve.resolve(caller, [Ref.of("note", text) for text in texts], now=timezone.now())
        return [found and found.number for found in answer.found]

    def refused(self, caller: resolve.Caller) -> str:
        with self.assertRaises(AppError) as raised:
            self.numbers(caller, "shop")
        return raised.exception.code.value

    def test_bare_and_latest_are_the_newest_green_one(self) -> None:
        self.assertEqual(self.numbers(KeyCaller(self.bob.key), "shop", "shop@latest"), [2, 2])

    def test_labels_and_numbers_are_found_and_unknown_ones_are_not(self) -> None:
        found = self.numbers(
            KeyCaller(self.bob.key), "shop@production", "shop@3", "shop@9", "shop@staging", "gone", "shop@99999999999"
        )
        self.assertEqual(found, [1, 3, None, None, None, None])

    def test_the_same_for_every_caller_of_the_team(self) -> None:
        member = MemberCaller(self.bob.user.pk, self.team.pk)
        for caller in (KeyCaller(self.bob.key), member, TeamCaller(self.team.pk)):
            self.assertEqual(self.numbers(caller, "shop", "shop@production"), [2, 1])

    def test_the_driver_and_django_give_the_same(self) -> None:
        references = [Ref.of("note", text) for text in ("shop", "shop@production", "shop@9", "gone")]
        callers = (KeyCaller(self.bob.key), TeamCaller(self.team.pk))
        short = [resolve.resolve(caller, references, now=timezone.now()) for caller in callers]
        heard: list[str] = []

        def listen(execute: Any, sql: str, *rest: Any) -> Any:
            heard.append(sql)
            return execute(sql, *rest)

        with connection.execute_wrapper(listen):
            long = [resolve.resolve(caller, references, now=timezone.now()) for caller in callers]
        self.assertEqual(short, long)
        self.assertEqual(len(heard), len(callers))

    def test_another_team_finds_nothing(self) -> None:
        member = MemberCaller(self.charlie.user.pk, self.other_team.pk)
        for caller in (KeyCaller(self.charlie.key), member, TeamCaller(self.other_team.pk), TeamCaller(None)):
            self.assertEqual(self.numbers(caller, "shop", "shop@production", "shop@1"), [None, None, None])

    def test_what_can_not_exist_is_not_found_on_either_database(self) -> None:
        self.assertEqual(
            self.numbers(KeyCaller(self.bob.key), "\0", "sh\0op", "shop@\0", "", "@", "shop@@"), [None] * 6
        )

    def test_the_answer_holds_team_rights_and_revision(self) -> None:
        answer = resolve.resolve(KeyCaller(self.bob.key), [Ref("note", "shop")], now=timezone.now())
        revision = Revision.objects.get(item=self.item, number=2)
        self.assertEqual((answer.team_id, answer.rights), (self.team.pk, "read render"))
        self.assertEqual(answer.found, [(self.item.pk, revision.pk, 2, revision.content_hash)])
        self.assertEqual(resolve.document(revision.pk), note(text="two"))

    def test_a_member_has_a_role_and_no_references_are_no_problem(self) -> None:
        answer = resolve.resolve(MemberCaller(self.bob.user.pk, self.team.pk), [], now=timezone.now())
        self.assertEqual(answer, (self.team.pk, "viewer", None, []))

    def test_unknown_revoked_and_expired_keys_are_all_the_same(self) -> None:
        self.assertEqual(self.refused(KeyCaller("nt_unknown")), "UNAUTHENTICATED")
        ApiKey.objects.filter(name="bob").update(expires_at=timezone.now() - timedelta(seconds=1))
        self.assertEqual(self.refused(KeyCaller(self.bob.key)), "UNAUTHENTICATED")
        ApiKey.objects.filter(name="bob").update(expires_at=None)
        keys.revoke_key(actor=self.alice.actor, key_id=ApiKey.objects.get(name="bob").pk)
        self.assertEqual(self.refused(KeyCaller(self.bob.key)), "UNAUTHENTICATED")

    def test_a_stranger_to_the_team_is_told_that_there_is_none(self) -> None:
        self.assertEqual(self.refused(MemberCaller(self.charlie.user.pk, self.team.pk)), "NOT_FOUND")

    def test_a_label_move_holds_at_once(self) -> None:
        services.move_label(self.alice.actor, item=self.item, name="production", number=2)
        self.assertEqual(self.numbers(KeyCaller(self.bob.key), "shop@production"), [2])

    def test_the_own_object_hides_the_built_in_even_from_the_trash(self) -> None:
        load("note", [note("shop", "built in"), note("only")], now=timezone.now())
        self.assertEqual(self.numbers(KeyCaller(self.bob.key), "shop", "only"), [2, 1])
        self.assertEqual(self.numbers(TeamCaller(None), "shop", "only"), [1, 1])
        services.archive(self.alice.actor, item=self.item)
        self.assertEqual(self.numbers(KeyCaller(self.bob.key), "shop", "shop@production", "only"), [None, None, 1])

    def test_only_red_revisions_are_no_revision(self) -> None:
        services.create(self.alice.actor, kind="note", document=note("red", "bad"))
        self.assertEqual(self.numbers(KeyCaller(self.bob.key), "red", "red@1"), [None, 1])

    def test_one_query_however_many_references(self) -> None:
        caller = KeyCaller(self.bob.key)
        self.numbers(caller, "shop")
        with self.assertNumQueries(1):
            self.numbers(caller, "shop", "shop@production", "shop@1", "only")


class TouchTests(TeamMixin, TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.make_people()
        self.now = timezone.now()

    def use(self, seconds: float = 0) -> None:
        resolve.resolve(KeyCaller(self.bob.key), [], now=self.now + timedelta(seconds=seconds))

    def last_use(self) -> timedelta | None:
        at = ApiKey.objects.get(name="bob").last_used_at
        return at and at - self.now

    def test_it_is_written_at_most_once_a_minute(self) -> None:
        self.assertIsNone(self.last_use())
        self.use()
        self.assertEqual(self.last_use(), timedelta(0))
        with self.assertNumQueries(1):
            self.use(59)
        self.assertEqual(self.last_use(), timedelta(0))
        self.use(60)
        self.assertEqual(self.last_use(), timedelta(seconds=60))

    def test_its_failure_does_not_fail_the_request(self) -> None:
        with (
            mock.patch.object(key_use, "_write", side_effect=DatabaseError("locked")),
            self.assertLogs("neotavern.keys", "WARNING") as log,
        ):
            self.use()
        self.assertEqual(len(log.records), 1)


class PlanTests(NoteKind, TeamTestCase):
    def test_every_step_is_an_index_search(self) -> None:
        if connection.vendor != "sqlite":
            self.skipTest("the plan of PostgreSQL depends on the number of rows")
        now = timezone.now()
        actor = accounts.command_actor(self.team, now=now)
        Item.objects.bulk_create(
            Item(team=self.team, kind="note", slug=f"n{number}", name="n", created_at=now, updated_at=now)
            for number in range(500)
        )
        services.create(actor, kind="note", document=note())
        refs = [Ref("note", "shop"), Ref("note", "shop", "production"), Ref("note", "shop", number=1)]
        for caller in (KeyCaller(self.bob.key), MemberCaller(1, self.team.pk), TeamCaller(self.team.pk)):
            sql = resolve.statement(type(caller).__name__, len(refs))
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN QUERY PLAN " + sql, resolve.parameters(caller, refs))
                steps = [row[3] for row in cursor.fetchall()]
            scanned = {step.split()[1] for step in steps if step.startswith("SCAN")} - {"ref", "CONSTANT", "3"}
            # the team of a TeamCaller is a row of constants, which is "scanned"
            self.assertEqual(scanned, {"k"} if isinstance(caller, TeamCaller) else set(), steps)
