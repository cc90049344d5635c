"""Two revisions side by side: words marked, white space kept, prompts on a conversation, hostile text inert."""

from __future__ import annotations

from neotavern.library import services
from neotavern.library.web.marks import side_by_side, visible
from tests.web.case import PageCase, document

PAGE = "/formats/house/diff/"


class MarksTests(PageCase):
    def test_words_are_marked_and_text_is_text(self) -> None:
        (stretch,) = side_by_side("a <b>old</b>", "a <b>new</b>")
        (pair,) = stretch.pairs
        self.assertEqual(str(pair.left.html), "a &lt;b&gt;<del>old</del>&lt;/b&gt;")
        self.assertEqual(str(pair.right.html), "a &lt;b&gt;<ins>new</ins>&lt;/b&gt;")

    def test_a_text_that_was_not_there_faces_nothing(self) -> None:
        (stretch,) = side_by_side(None, "x\ny")
        self.assertEqual([(pair.left.is_there, str(pair.right.html)) for pair in stretch.pairs],
                         [(False, "<ins>x</ins>"), (False, "<ins>y</ins>")])  # fmt: skip

    def test_long_equal_stretches_are_folded(self) -> None:
        lines = [str(number) for number in range(40)]
        found = side_by_side("\n".join(lines), "\n".join([*lines[:20], "new", *lines[21:]]))
        self.assertEqual([(len(one.pairs), one.is_folded) for one in found],
                         [(17, True), (3, False), (1, False), (3, False), (16, True)])  # fmt: skip

    def test_white_space_is_in_elements_and_nothing_is_lost(self) -> None:
        html = str(visible(" a\tb\u200b "))
        self.assertEqual(
            html,
            '<i class="ws"> </i>a<i class="tab">\t</i>b<i class="odd" data-mark="ZWSP">\u200b</i><i class="ws"> </i>',
        )


class ComparePageTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        item = self.make(bos="<script>alert(1)</script>")
        changed = document(user="<u>{{{content}}} </u>\n", bos="<script>alert(2)</script>")
        services.save(self.alice.actor, item=item, document=changed, base_revision=1)

    def test_the_newest_with_the_one_before_it(self) -> None:
        text = self.assert_is(self.page(self.alice, PAGE), 200)
        self.assertIn("Revision 1 → 2", text)
        self.assertIn('{{{content}}}<ins><i class="ws"> </i></ins>&lt;/u&gt;', text)
        self.assertNotIn("<script>alert", text)

    def test_each_tab_and_each_way_to_name_a_revision(self) -> None:
        self.assertIn(
            "+&lt;u&gt;{{{content}}} &lt;/u&gt;", self.assert_is(self.page(self.alice, PAGE + "?tab=document"), 200)
        )
        prompt = self.assert_is(self.page(self.alice, PAGE + "?tab=prompt&sample=short&from=1&to=latest"), 200)
        self.assertIn("<ins>", prompt)
        self.assertNotIn("<script>alert", prompt)
        self.assertIn("Both texts are the same", self.assert_is(self.page(self.alice, PAGE + "?from=2&to=2"), 200))
        self.assert_is(self.page(self.alice, PAGE + "?from=9"), 404)
        self.assert_is(self.page(self.alice, PAGE + "?from=nobody"), 404)

    def test_a_revision_that_renders_nothing_says_why(self) -> None:
        item = self.make("broken")
        changed = document("broken", systemPolicy={"first": "error", "later": "error"})
        services.save(self.alice.actor, item=item, document=changed, base_revision=1, force=True, note="on purpose")
        self.assertIn(
            "Can not be rendered", self.assert_is(self.page(self.alice, "/formats/broken/diff/?tab=prompt"), 200)
        )

    def test_the_history_leads_here(self) -> None:
        text = self.assert_is(self.page(self.alice, "/formats/house/revisions/"), 200)
        self.assertIn("/formats/house/diff/?from=1&amp;to=2", text)
        self.assertIn('name="from" form="compare" value="1"', text)

    def test_bob_reads_charlie_finds_nothing(self) -> None:
        self.assertNotIn("Restore revision", self.assert_is(self.page(self.bob, PAGE), 200))
        self.assert_is(self.page(self.charlie, PAGE), 404)
        self.assert_to_login(self.page(None, PAGE))
