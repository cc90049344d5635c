"""Addresses at the root for programs that expect them there: /health, /ready and llama.cpp's /apply-template."""

from __future__ import annotations

from ninja import NinjaAPI

from chats.api import root_router
from neotavern.accounts.auth import KeyOrSession
from neotavern.api import exceptions, health
from neotavern.api.codec import JsonParser, JsonRenderer

root_api = NinjaAPI(
    title="NeoTavern prompt server, addresses at the root",
    parser=JsonParser(),
    renderer=JsonRenderer(),
    auth=KeyOrSession(),
    docs_url=None,
    openapi_url=None,
    urls_namespace="root-api",
)
exceptions.register(root_api)
root_api.add_router("", health.router)
root_api.add_router("", root_router)
