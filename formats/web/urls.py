"""Page addresses of formats, presets and settings; they stand under /t/<team>/, before those that every kind shares."""

from __future__ import annotations

from django.urls import URLPattern, path

from formats.stored import context_template, instruct_format, preset, prompt_config
from formats.web import activation, find, listing, presets, saving, settings, settings_history, workbench
from neotavern.library.web import collections as _converters  # noqa: F401 - importing it makes the converter known
from neotavern.library.web import imports

presets.register()

FORMATS, PRESETS = {"kind": instruct_format.KIND}, {"kind": preset.KIND}
CONTEXTS, CONFIGS = {"kind": context_template.KIND}, {"kind": prompt_config.KIND}

urlpatterns: list[URLPattern] = [
    path("formats/", listing.page, FORMATS, name="library-list"),
    path("formats/find/", find.page, name="format-find"),
    path("formats/new/", saving.new, name="format-new"),
    path("formats/import/", imports.page, name="format-import"),
    path("formats/<str:slug>/", workbench.page, name="item-page"),
    path("formats/<str:slug>/save/", saving.save, name="format-save"),
    path("formats/<str:slug>/activate/", activation.default, FORMATS, name="format-activate"),
    path("presets/", listing.page, PRESETS, name="preset-list"),
    path("context-templates/", listing.page, CONTEXTS),
    path("prompt-configs/", listing.page, CONFIGS),
    path("<collection:kind>/<str:slug>/default/", activation.default, name="kind-default"),
    path("settings/", settings.page, name="settings-page"),
    path("settings/me/", settings.mine, name="settings-mine"),
    path("settings/<str:whose>/revisions/", settings_history.page, name="settings-revisions"),
    path("settings/<str:whose>/restore/<int:number>/", settings_history.restore, name="settings-restore"),
]
