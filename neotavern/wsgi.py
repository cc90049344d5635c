"""WSGI entry point, served by granian."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from neotavern.middleware.hot_render import HotRender
from neotavern.middleware.one_core import OneCore, core_of_worker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neotavern.settings")
application = OneCore(HotRender(get_wsgi_application()), core_of_worker())


def warm() -> None:
    """Build at worker start what the first request would wait for: the addresses and the template grammar."""
    from django.urls import resolve

    from chats.services.render import BuiltinCaller, RenderRequest, answer

    resolve("/api/v1/health")
    answer(BuiltinCaller(), RenderRequest(format="chatml", messages=[{"role": "user", "content": "warm"}]))


warm()
