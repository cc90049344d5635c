"""The documentation as pages, linked from where it explains something."""

from __future__ import annotations

from tests.web.case import PageCase


class ManualTests(PageCase):
    def test_documents_are_pages_and_name_each_other(self) -> None:
        text = self.assert_is(self.page(self.bob, "/manual/pipeline/"), 200)
        self.assertIn('<h2 id="stages">Stages</h2>', text)
        self.assertIn('<a href="/t/tavern/manual/providers/">providers.md</a>', text)
        self.assertIn('href="/t/tavern/manual/tokens/"', text)
        self.assert_is(self.page(self.bob, "/manual/"), 200)
        self.assert_is(self.page(self.bob, "/manual/nothing/"), 404)
        self.assert_is(self.page(self.charlie, "/manual/pipeline/"), 404)
        self.assert_to_login(self.page(None, "/manual/pipeline/"))

    def test_the_page_of_a_format_leads_there(self) -> None:
        self.make()
        text = self.assert_is(self.page(self.bob, "/formats/house/"), 200)
        for name in ("pipeline", "providers", "tokens"):
            self.assertIn(f'href="/t/tavern/manual/{name}/"', text)
