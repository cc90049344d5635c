"""Page addresses of chats; they stand under /t/<team>/, before those that every kind shares."""

from __future__ import annotations

from django.urls import URLPattern, path

from chats.stored import chat as chat_kind
from chats.web.chat import messages, page, pane, saving, start, tracing
from neotavern.library.web import editors

editors.register_extras(start.extras)

KIND = {"kind": chat_kind.KIND}

urlpatterns: list[URLPattern] = [
    path("chats/new/", start.new, name="chat-new"),
    path("chats/<str:slug>/", page.page, name="chat-page"),
    path("chats/<str:slug>/save/", saving.save, name="chat-save"),
    path("chats/<str:slug>/share/", saving.share, name="chat-share"),
    path("chats/<str:slug>/messages/", messages.thread, name="chat-messages"),
    path("chats/<str:slug>/messages/<str:number>/", messages.message, name="chat-message"),
    path("chats/<str:slug>/prompt/", pane.page, name="chat-prompt"),
    path("chats/<str:slug>/trace/", tracing.page, name="chat-trace"),
]
