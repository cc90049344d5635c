"""The short way of POST /render answers what Django answers, and leaves to Django whatever it does not answer."""

from __future__ import annotations

import io
from typing import Any
from unittest import mock

import orjson
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import override_settings

from neotavern.middleware.hot_render import HotRender
from tests.chats.base import CHATML_HI, RENDER, USER_HI, RenderTestCase

BODIES: list[Any] = [
    {"format": "chatml", "messages": USER_HI, "randomSeed": 1},
    {"messages": USER_HI, "randomSeed": 1, "provider": "anthropic"},
    {"format": "chatml", "messages": USER_HI, "randomSeed": 1, "spans": True, "assistantPrefill": "é"},
    {"format": "nope"},
    {"format": {"id": "x"}},
    {"colour": 1},
    [],
    {"messages": [{"role": "x", "content": ""}]},
    {"provider": "koboldai", "serializeAsText": False},
]


class HotRenderTests(RenderTestCase):
    def setUp(self) -> None:
        super().setUp()
        # as Django's own test client does: the end of a request must not close the connection that the test runs in
        for signal in (request_started, request_finished):
            signal.disconnect(close_old_connections)
            self.addCleanup(signal.connect, close_old_connections)
        self.seen: list[str] = []
        handler = WSGIHandler()

        def django(environ: Any, start_response: Any) -> Any:
            self.seen.append(environ["PATH_INFO"])
            return handler(environ, start_response)

        self.application = HotRender(django)

    def call(self, raw: bytes, **changes: Any) -> tuple[str, dict[str, str], bytes]:
        """Call the application as a server does."""
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": RENDER,
            "QUERY_STRING": "",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(raw)),
            "HTTP_AUTHORIZATION": f"Bearer {self.alice.key}",
            "HTTP_HOST": "localhost:8000",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8000",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(raw),
            "HTTP_X_REQUEST_ID": "request-1234",
            **changes,
        }
        got: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]], _: Any = None) -> None:
            got.update(status=status, headers={name.lower(): value for name, value in headers})

        body = b"".join(self.application(environ, start))
        return got["status"], got["headers"], body

    def test_both_ways_answer_the_same(self) -> None:
        for limit in (0, 1000):
            for body in BODIES:
                with self.subTest(body=body, limit=limit), override_settings(RATE_LIMIT=limit):
                    raw = orjson.dumps(body)
                    short = self.call(raw)
                    with mock.patch("neotavern.middleware.hot_render._is_plain", return_value=False):
                        long = self.call(raw)
                    self.assertEqual((short[0], short[2]), (long[0], long[2]))
                    self.assertEqual(short[1].keys(), long[1].keys())
                    fixed = {name for name in short[1] if not name.startswith("x-ratelimit-")}
                    self.assertEqual({name: short[1][name] for name in fixed}, {name: long[1][name] for name in fixed})

    def test_success_does_not_reach_django(self) -> None:
        status, headers, body = self.call(orjson.dumps(BODIES[0]))
        self.assertEqual((status, orjson.loads(body)["prompt"], self.seen), ("200 OK", CHATML_HI, []))
        self.assertEqual((headers["x-request-id"], headers["content-length"]), ("request-1234", str(len(body))))

    def test_everything_else_does(self) -> None:
        good = orjson.dumps(BODIES[0])
        cases: list[tuple[bytes, dict[str, Any], str]] = [
            (good, {"HTTP_AUTHORIZATION": "Bearer nt_wrong"}, "401"),
            (good, {"HTTP_AUTHORIZATION": ""}, "401"),
            (b"{", {}, "400"),
            (good, {"CONTENT_TYPE": "text/plain"}, "415"),
            (good, {"HTTP_HOST": "elsewhere.example"}, "400"),
            (good, {"CONTENT_LENGTH": str(2**40)}, "413"),
            (good, {"REQUEST_METHOD": "PUT"}, "405"),
            (good, {"QUERY_STRING": "as=poem"}, "422"),
        ]
        for raw, changes, status in cases:
            with self.subTest(changes=changes, raw=raw):
                self.seen.clear()
                self.assertEqual((self.call(raw, **changes)[0][:3], self.seen), (status, [RENDER]))

    def test_a_fault_of_ours_is_told_by_django(self) -> None:
        with mock.patch("chats.services.batch.run.read_request", side_effect=ZeroDivisionError):
            self.assertEqual(self.call(orjson.dumps(BODIES[0]))[0], "200 OK")
        self.assertEqual(self.seen, [RENDER])

    @override_settings(RATE_LIMIT=2)
    def test_it_counts_with_the_rate_limit(self) -> None:
        answers = [self.call(orjson.dumps(BODIES[0])) for _ in range(3)]
        self.assertEqual([status[:3] for status, _, _ in answers], ["200", "200", "429"])
        self.assertEqual([headers["x-ratelimit-remaining"] for _, headers, _ in answers], ["1", "0", "0"])

    def test_it_writes_the_line_of_the_request(self) -> None:
        with self.assertLogs("neotavern.request", "INFO") as logs:
            self.call(orjson.dumps(BODIES[0]))
        (record,) = logs.records
        fields = dict(record.fields)
        self.assertGreater(fields.pop("ms"), 0)
        self.assertEqual(fields, {"id": "request-1234", "method": "POST", "path": RENDER, "status": 200})
