"""The addresses of the product and, under /made-up, the verbs of the kind made up for the tests."""

from __future__ import annotations

from django.urls import path
from ninja import NinjaAPI

from neotavern import urls
from neotavern.accounts.auth import KeyOrSession
from neotavern.api import exceptions
from neotavern.api.codec import JsonParser, JsonRenderer
from neotavern.library.api.kind_router import kind_router
from tests.library.samples import NOTE

api = NinjaAPI(parser=JsonParser(), renderer=JsonRenderer(), auth=KeyOrSession(), urls_namespace="made-up")
exceptions.register(api)
api.add_router("/notes", kind_router(NOTE))

urlpatterns = [path("made-up/", api.urls), *urls.urlpatterns]
