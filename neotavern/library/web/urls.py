"""Page addresses that every stored kind shares; they stand under /t/<team>/.

`-` is no slug, so what stands below it never hides an object.
"""

from __future__ import annotations

from django.urls import URLPattern, path

from neotavern.library.web import (  # collections, which they import, makes the converter known
    bulk,
    comparing,
    finding,
    history,
    imports,
    items,
    labels,
    lifecycle,
    listing,
    manual,
)

urlpatterns: list[URLPattern] = [
    path("search/", finding.page, name="search-page"),
    path("manual/", manual.page, name="manual-first"),
    path("manual/<slug:name>/", manual.page, name="manual"),
    path("import/", imports.page, name="import-page"),
    path("imports/", imports.past, name="import-list"),
    path("imports/<int:number>/", imports.batch, name="import-batch"),
    path("imports/<int:number>/undo/", imports.undo, name="import-undo"),
    path("<collection:kind>/", listing.page, name="kind-list"),
    path("<collection:kind>/-/bulk/", bulk.act, name="kind-bulk"),
    path("<collection:kind>/new/", items.new, name="kind-new"),
    path("<collection:kind>/<str:slug>/", items.page, name="kind-page"),
    path("<collection:kind>/<str:slug>/save/", items.save, name="kind-save"),
    path("<collection:kind>/<str:slug>/clone/", lifecycle.clone, name="kind-clone"),
    path("<collection:kind>/<str:slug>/export/", lifecycle.export, name="kind-export"),
    path("<collection:kind>/<str:slug>/revisions/", history.page, name="kind-revisions"),
    path("<collection:kind>/<str:slug>/diff/", comparing.page, name="kind-diff"),
    path("<collection:kind>/<str:slug>/labels/", labels.page, name="kind-labels"),
    path("<collection:kind>/<str:slug>/restore/<int:number>/", lifecycle.restore, name="kind-restore"),
    path("<collection:kind>/<str:slug>/archive/", lifecycle.archive, name="kind-archive"),
    path("<collection:kind>/<str:slug>/unarchive/", lifecycle.unarchive, name="kind-unarchive"),
    path("<collection:kind>/<str:slug>/delete/", lifecycle.delete, name="kind-delete"),
]
