"""Page addresses that every stored kind shares; they stand under /t/<team>/."""

from __future__ import annotations

from django.urls import URLPattern, path

from neotavern.library.web import finding

urlpatterns: list[URLPattern] = [path("search/", finding.page, name="search-page")]
