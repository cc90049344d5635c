"""Shared by the render tests: the built-ins are loaded, and `render` is one call away."""

from __future__ import annotations

from typing import Any

from formats.services.builtins import load_builtins
from tests.teams import Person, TeamTestCase

RENDER = "/api/v1/render"
USER_HI = [{"role": "user", "content": "Hi"}]
CHATML_HI = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
LLAMA3_HI = (
    "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\n"
)


def tiny_format(slug: str = "tiny", *, user: str = "U:{{{content}}}\n", **more: Any) -> dict[str, Any]:
    """The smallest format that shows which revision rendered."""
    return {
        "kind": "instruct-format",
        "version": 2,
        "id": slug,
        "name": slug.title(),
        "system": "S:{{{content}}}\n",
        "user": user,
        "assistant": "A:{{{content}}}\n",
        "tool": "T:{{{content}}}\n",
        "promptSuffix": "A:",
        "stopStrings": ["\nU:"],
        **more,
    }


class RenderTestCase(TeamTestCase):
    """Two teams with the built-ins loaded."""

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        load_builtins()

    def render(self, who: Person | None = None, **body: Any) -> Any:
        """Render with Alice's key unless told otherwise and return the answer's body."""
        response = self.post(who or self.alice, RENDER, {"messages": USER_HI, **body})
        assert response.status_code == 200, response.content
        return response.json()

    def refusal(self, status: int, code: str, **body: Any) -> dict[str, Any]:
        """Render with Alice's key and return the error that must come."""
        response = self.post(self.alice, RENDER, {"messages": USER_HI, **body})
        return self.assert_error(response, status, code)

    def make_format(self, who: Person, **fields: Any) -> dict[str, Any]:
        """Store a format and return it."""
        response = self.post(who, "/api/v1/formats", {"document": tiny_format(**fields)})
        assert response.status_code == 201, response.content
        return response.json()

    def set_team(self, who: Person, **changes: Any) -> None:
        """Change the team's settings."""
        response = self.patch(who, "/api/v1/settings", changes)
        assert response.status_code == 200, response.content
