"""The HTTP API: one API, routers of the floors below mounted by name."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from ninja import Swagger

import chats.api as chats
import formats.api as formats
import neotavern.jobs.api as jobs
import neotavern.library.api as library
from neotavern.accounts.api import keys, team, trail
from neotavern.accounts.auth import KeyOrSession
from neotavern.api import exceptions, health
from neotavern.api.codec import JsonParser, JsonRenderer
from neotavern.api.openapi import Api


def _version() -> str:
    try:
        return version("neotavern-server")
    except PackageNotFoundError:
        return "0.1.0"


api = Api(
    title="NeoTavern prompt server",
    version=_version(),
    description="Stores prompt formats for teams and renders conversations into the exact prompt of a model.",
    parser=JsonParser(),
    renderer=JsonRenderer(),
    auth=KeyOrSession(),
    docs=Swagger(settings={"persistAuthorization": True}),
    urls_namespace="api",
)
exceptions.register(api)
api.add_router("", health.router)
for room in (team, keys, trail, jobs, formats, library, chats):  # `/formats/find` before a format's slug
    api.add_router("", room.router)
