"""Page addresses of formats and settings; they stand under /t/<team>/."""

from __future__ import annotations

from django.urls import URLPattern, path

from formats.stored.instruct_format import NAME
from formats.web import activation, imports, listing, saving, settings, workbench
from neotavern.library.web import lifecycle

KIND = {"kind": NAME, "page": "item-page", "listing": "library-list"}

urlpatterns: list[URLPattern] = [
    path("formats/", listing.page, name="library-list"),
    path("formats/new/", saving.new, name="format-new"),
    path("formats/import/", imports.page, name="format-import"),
    path("formats/<str:slug>/", workbench.page, name="item-page"),
    path("formats/<str:slug>/save/", saving.save, name="format-save"),
    path("formats/<str:slug>/clone/", saving.clone, name="format-clone"),
    path("formats/<str:slug>/export/", workbench.export, name="format-export"),
    path("formats/<str:slug>/activate/", activation.activate, name="format-activate"),
    path("formats/<str:slug>/revisions/", workbench.revisions, name="format-revisions"),
    path("formats/<str:slug>/restore/<int:number>/", lifecycle.restore, KIND, name="format-restore"),
    path("formats/<str:slug>/archive/", lifecycle.archive, KIND, name="format-archive"),
    path("formats/<str:slug>/unarchive/", lifecycle.unarchive, KIND, name="format-unarchive"),
    path("settings/", settings.page, name="settings-page"),
]
