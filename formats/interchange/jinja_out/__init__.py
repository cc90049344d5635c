"""A format as a Jinja chat template that renders the same bytes in transformers, vLLM and minijinja."""

from __future__ import annotations

from formats.interchange.jinja_out.export import chat_template

__all__ = ["chat_template"]
