"""Page addresses of this room; they stand under /t/<team>/."""

from __future__ import annotations

from django.urls import URLPattern, path

from chats.web import comparing, preview

comparing.register()

urlpatterns: list[URLPattern] = [path("preview/", preview.page, name="render-preview")]
