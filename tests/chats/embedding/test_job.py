"""Vectors are made once for each text, by a job or, for a small book, at once."""

from __future__ import annotations

from unittest.mock import patch

from chats.infill.semantic.ports import VectorsMissing
from chats.infill.types import Passage
from chats.models import VectorRow
from chats.services.embedding import wanted
from chats.services.embedding.index import StoredIndex
from neotavern.jobs.models import Job
from tests.chats.embedding.base import EmbeddingTestCase
from tests.jobs.base import work_off

MANY = [f"lamp {at}" for at in range(30)]


class EmbedJob(EmbeddingTestCase):
    def test_a_small_book_is_done_with_the_save(self) -> None:
        self.book("lamp", "dragon")
        self.committed()
        assert (VectorRow.objects.count(), Job.objects.count()) == (2, 0)

    def test_a_larger_one_is_a_workers_business(self) -> None:
        self.book(*MANY)
        self.committed()
        job = Job.objects.get()
        assert (job.kind, job.subject, job.state, VectorRow.objects.count()) == (
            "embed",
            "lorebook/house",
            "waiting",
            0,
        )
        work_off()
        job.refresh_from_db()
        assert (job.state, job.done, job.total) == ("done", 30, 30)
        assert job.result == '{"texts":30,"made":30,"model":"ideas"}'

    def test_only_what_changed_is_made_again(self) -> None:
        book = self.book(*MANY)
        wanted.ask(book)
        work_off()
        self.put(
            self.alice, "/api/v1/lorebooks/house/entries/3", {"document": {"content": "dragon"}, "baseRevision": 1}
        )
        wanted.ask(book)
        work_off()
        assert [job.result for job in Job.objects.order_by("id")][-1] == '{"texts":30,"made":1,"model":"ideas"}'

    def test_a_change_that_is_not_of_the_text_makes_nothing(self) -> None:
        book = self.book("lamp")
        self.committed()
        self.put(
            self.alice,
            "/api/v1/lorebooks/house/entries/0",
            {"document": {"name": "E0", "content": "lamp", "pinned": True}, "baseRevision": 1},
        )
        assert (wanted.state_of(book).made, VectorRow.objects.count()) == (1, 1)

    def test_another_model_makes_its_own(self) -> None:
        book = self.book(*MANY)
        wanted.ask(book)
        work_off()
        self.model.model = "other"
        assert (wanted.state_of(book).made, wanted.ask_for_all()) == (0, 1)
        work_off()
        assert (wanted.state_of(book).made, wanted.ask_for_all(), VectorRow.objects.count()) == (30, 0, 60)

    def test_a_team_that_wants_keywords_alone_gets_no_vectors(self) -> None:
        self.patch(self.alice, "/api/v1/settings", {"infill": "keyword"})
        self.book("lamp")
        self.committed()
        assert (VectorRow.objects.count(), wanted.ask_for_all()) == (0, 0)

    def test_without_a_model_nothing_is_asked_for(self) -> None:
        self.model = None
        self.book(*MANY)
        assert (self.callbacks, Job.objects.count()) == ([], 0)

    def test_a_model_that_fails_is_tried_again_later(self) -> None:
        self.book(*MANY)
        self.committed()
        self.model.fails = True
        work_off()
        assert (Job.objects.get().state, Job.objects.get().error) == ("waiting", "The model is asleep.")

    def test_a_save_is_a_save_even_where_vectors_can_not_be_asked_for(self) -> None:
        self.book("lamp")
        with patch.object(wanted, "_at_once", side_effect=RuntimeError("no")), self.assertLogs("neotavern.embedding"):
            self.committed()

    def test_a_book_that_is_gone(self) -> None:
        job = wanted.ask(self.book(*MANY))
        Job.objects.update(payload='{"item":0}')
        work_off()
        job.refresh_from_db()
        assert job.result == '{"skipped":"it is gone"}'


class Index(EmbeddingTestCase):
    passages = tuple(Passage("", text) for text in MANY)

    def test_stored_vectors_come_back_as_they_were_made(self) -> None:
        book = self.book("lamp", "dragon and guild", kind="history")
        wanted.ask(book)
        work_off()
        rows = StoredIndex(self.team.pk, self.model).matrix((Passage("", "dragon and guild"),), lasting=True)
        assert rows.tolist() == self.model.passages(["dragon and guild"]).tolist()

    def test_few_that_are_missing_are_made_on_the_way_and_not_stored(self) -> None:
        rows = StoredIndex(self.team.pk, self.model).matrix(self.passages[:16], lasting=True)
        assert (rows.shape, VectorRow.objects.count()) == ((16, 5), 0)

    def test_many_are_not(self) -> None:
        with self.assertRaises(VectorsMissing) as caught:
            StoredIndex(self.team.pk, self.model).matrix(self.passages, lasting=True)
        assert (caught.exception.missing, caught.exception.total) == (30, 30)

    def test_but_one_render_after_the_other_gets_there(self) -> None:
        index = StoredIndex(self.team.pk, self.model)
        with self.assertRaises(VectorsMissing):
            index.matrix(self.passages, lasting=False)
        assert len(index.matrix(self.passages, lasting=False)) == 30

    def test_another_teams_vectors_are_not_read(self) -> None:
        wanted.ask(self.book(*MANY, kind="history"))
        work_off()
        self.forget()
        assert len(StoredIndex(self.team.pk, self.model).matrix(self.passages, lasting=True)) == 30
        self.forget()
        with self.assertRaises(VectorsMissing):
            StoredIndex(self.other_team.pk, self.model).matrix(self.passages, lasting=True)

    def test_a_books_matrix_is_kept(self) -> None:
        index = StoredIndex(self.team.pk, self.model)
        first = index.matrix(self.passages[:3], lasting=True)
        assert index.matrix(self.passages[:3], lasting=True) is first
