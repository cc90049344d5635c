"""Jinja chat templates as transformers renders them, in a process that can be ended. No Django, no clock of its own.

template = compile_chat_template(source)
template.render({"messages": [...], "add_generation_prompt": True, "bos_token": "<s>"}, now="2026-11-30T12:00:00")
"""

from __future__ import annotations

from formats.jinja.errors import JinjaError, JinjaLimitError, JinjaRefused, JinjaRenderError, JinjaSyntaxError
from formats.jinja.template import ChatTemplate, compile_chat_template

__all__ = [
    "ChatTemplate",
    "JinjaError",
    "JinjaLimitError",
    "JinjaRefused",
    "JinjaRenderError",
    "JinjaSyntaxError",
    "compile_chat_template",
]
