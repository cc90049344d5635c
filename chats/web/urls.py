"""Page addresses of this room; they stand under /t/<team>/."""

from __future__ import annotations

from django.urls import URLPattern, path

from chats.stored import lorebook
from chats.web import comparing, context_preview, editors, preview, trying_rules, variable_texts
from chats.web.books import entries, entry, trying, vectors
from chats.web.chat import tracing
from chats.web.chat import urls as chat
from neotavern.library.web import items

comparing.register()
editors.register()
variable_texts.register()

BOOK = {"kind": lorebook.KIND}

urlpatterns: list[URLPattern] = [
    path("preview/", preview.page, name="render-preview"),
    path("context-preview/", context_preview.page, name="context-preview"),
    path("interceptors/-/try/", trying_rules.page, name="rules-try"),
    path("preview/trace/", tracing.format_page, name="render-trace"),
    path("lorebooks/new/", items.new, BOOK),
    path("lorebooks/<str:slug>/", entries.page),
    path("lorebooks/<str:slug>/settings/", items.page, BOOK, name="book-settings"),
    path("lorebooks/<str:slug>/entries/", entries.change, name="book-change"),
    path("lorebooks/<str:slug>/entry/", entry.page, name="book-entry"),
    path("lorebooks/<str:slug>/entry/save/", entry.save, name="book-entry-save"),
    path("lorebooks/<str:slug>/vectors/", vectors.part, name="book-vectors"),
    path("lorebooks/<str:slug>/try/", trying.page, name="book-try"),
    *chat.urlpatterns,
]
