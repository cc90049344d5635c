"""Addresses: the API under /api/v1, pages under /t/<team>, llama.cpp's /apply-template and /health at the root."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from neotavern import pages
from neotavern.accounts.admin import administration
from neotavern.api.app import api
from neotavern.api.root import root_api

handler404 = "neotavern.pages.page_not_found"
handler500 = "neotavern.pages.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", pages.home, name="home"),
    path("api/v1/", api.urls),
    path("", root_api.urls),
    path("", include("neotavern.accounts.web.urls")),
    path("t/<slug:team>/", include("neotavern.jobs.web.urls")),
    path("t/<slug:team>/", include("chats.web.urls")),
    path("t/<slug:team>/", include("formats.web.urls")),
    path("t/<slug:team>/", include("neotavern.library.web.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", administration.urls),
]
