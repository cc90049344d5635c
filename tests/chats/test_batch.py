"""POST /render/batch: lines in, lines out; what is wrong with one is no other's business."""

from __future__ import annotations

import io
import threading
from typing import Any
from unittest import mock

import orjson
import pytest

from chats.services.batch.lines import TOO_LONG, lines_of
from chats.services.batch.spool import Spool
from neotavern.accounts.models import ApiKey
from tests.chats.base import CHATML_HI, USER_HI, RenderTestCase

BATCH = "/api/v1/render/batch"
GOOD = orjson.dumps({"format": "chatml", "messages": USER_HI})


class BatchTests(RenderTestCase):
    def send(self, raw: bytes, key: str | None = None, **extra: Any) -> Any:
        headers = {"Authorization": f"Bearer {key or self.alice.key}"}
        extra.setdefault("content_type", "application/x-ndjson")
        return self.client.post(BATCH, raw, headers=headers, **extra)

    def lines(self, raw: bytes, **extra: Any) -> list[dict[str, Any]]:
        response = self.send(raw, **extra)
        assert response.status_code == 200
        assert response["Content-Type"] == "application/x-ndjson"
        text = b"".join(response.streaming_content)
        assert text.endswith(b"\n") or not text
        return [orjson.loads(line) for line in text.split(b"\n")[:-1]]

    def test_each_line_is_answered_in_order(self) -> None:
        llama = orjson.dumps({"format": "llama3", "messages": USER_HI})
        prompts = [line["prompt"][:10] for line in self.lines(b"\n".join([GOOD, llama, GOOD]))]
        self.assertEqual(prompts, ["<|im_start", "<|begin_of", "<|im_start"])

    def test_a_line_is_what_render_answers(self) -> None:
        body = {"format": "chatml", "messages": USER_HI, "randomSeed": 1, "spans": True}
        self.assertEqual(self.lines(orjson.dumps(body)), [self.render(**body)])

    def test_a_bad_line_spoils_only_itself(self) -> None:
        bad = [
            b"{",
            b"3",
            b'{"colour":1}',
            b'{"format":"nope"}',
            b'{"messages":[{"role":"x"}]}',
            b"\xff",
            b'{"a":"\\u0000"}',
        ]
        answers = self.lines(b"\n".join(part for line in bad for part in (line, GOOD)))
        self.assertEqual([answer["prompt"] for answer in answers[1::2]], [CHATML_HI] * len(bad))
        self.assertEqual(
            [answer["error"]["code"] for answer in answers[::2]],
            ["BAD_JSON", "VALIDATION", "VALIDATION", "NOT_FOUND", "VALIDATION", "BAD_JSON", "VALIDATION"],
        )

    def test_an_error_is_the_body_that_render_answers(self) -> None:
        for body in ({"colour": 1}, {"format": "nope"}, {"messages": [3], "bos": 1}, {"format": {"id": "x"}}):
            with self.subTest(body):
                response = self.post(self.alice, "/api/v1/render", body)
                self.assertEqual(self.lines(orjson.dumps(body)), [response.json()])

    def test_blank_lines_are_passed_over(self) -> None:
        self.assertEqual(len(self.lines(b"\n\r\n" + GOOD + b"\r\n  \n\n" + GOOD)), 2)
        self.assertEqual(self.lines(b""), [])

    def test_a_line_past_the_limit_spoils_only_itself(self) -> None:
        with mock.patch("chats.services.batch.run.MAX_BODY_BYTES", len(GOOD)):
            long, good = self.lines(GOOD + b" \n" + GOOD)
        self.assertEqual((long["error"]["code"], long["error"]["params"]), ("PAYLOAD_TOO_LARGE", {"limit": len(GOOD)}))
        self.assertEqual(good["prompt"], CHATML_HI)

    def test_an_unexpected_error_is_a_line_too(self) -> None:
        with mock.patch("chats.services.batch.run.answer", side_effect=ZeroDivisionError):
            (line,) = self.lines(GOOD)
        self.assertEqual(line["error"]["code"], "INTERNAL")
        self.assertTrue(line["error"]["traceId"])

    def test_a_key_that_is_revoked_ends_its_batch(self) -> None:
        stream = self.send(GOOD + b"\n" + GOOD).streaming_content
        self.assertIn(b'"prompt"', next(stream))
        ApiKey.objects.update(revoked_at=self.now)
        self.assertEqual(orjson.loads(next(stream))["error"]["code"], "UNAUTHENTICATED")

    def test_clients_that_call_it_a_form_are_served(self) -> None:
        self.assertEqual(len(self.lines(GOOD, content_type="application/x-www-form-urlencoded")), 1)
        self.assert_error(self.send(GOOD, content_type="image/png"), 415, "UNSUPPORTED_MEDIA")

    def test_a_chunked_upload(self) -> None:
        response = self.client.generic(
            "POST",
            BATCH,
            b"",
            content_type="application/x-ndjson",
            headers={"Authorization": f"Bearer {self.alice.key}", "Transfer-Encoding": "chunked"},
            **{"wsgi.input": io.BytesIO(GOOD + b"\n" + GOOD)},
        )
        self.assertEqual(len(b"".join(response.streaming_content).splitlines()), 2)


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([], []),
        ([b"a\nb"], [b"a", b"b"]),
        ([b"a", b"b\n", b"\nc"], [b"ab", b"", b"c"]),
        ([b"abcd\n", b"abc", b"de", b"f\nab\n"], [b"abcd", TOO_LONG, b"ab"]),
        ([b"abcde"], [TOO_LONG]),
        ([b"ab", b"cd"], [b"abcd"]),
        ([b"abcde\nab"], [TOO_LONG, b"ab"]),
    ],
)
def test_lines(pieces: list[bytes], lines: list[Any]) -> None:
    assert list(lines_of(pieces, 4)) == lines


def test_a_spool_gives_back_what_came_in_whatever_its_size() -> None:
    body = b"0123456789" * 400_000
    source = io.BytesIO(body)
    spool = Spool(lambda: source.read(70_000))
    assert b"".join(spool.pieces()) == body
    spool.close()


def test_a_spool_does_not_wait_for_its_reader() -> None:
    taken = threading.Event()
    pieces = iter([b"a" * 100_000] * 30)

    def read() -> bytes:
        piece = next(pieces, b"")
        if not piece:
            taken.set()
        return piece

    spool = Spool(read)
    stream = spool.pieces()
    first = next(stream)
    assert taken.wait(10)
    assert len(first) + sum(map(len, stream)) == 3_000_000
    spool.close()


def test_a_spool_past_its_limit_waits_for_its_reader() -> None:
    count = 0

    def read() -> bytes:
        nonlocal count
        count += 1
        return b"a" * 10 if count <= 5 else b""

    spool = Spool(read, max_waiting=20)
    assert b"".join(spool.pieces()) == b"a" * 50
    spool.close()


def test_a_closed_spool_ends_and_lets_its_thread_go() -> None:
    waiting = threading.Event()
    spool = Spool(lambda: b"abc" if not waiting.wait(0.01) else b"")
    stream = spool.pieces()
    next(stream)
    spool.close()
    assert list(stream) == []
    spool._thread.join(10)
    assert not spool._thread.is_alive()


def test_a_broken_upload_ends_the_stream() -> None:
    pieces = iter([b"a\n"])

    def read() -> bytes:
        for piece in pieces:
            return piece
        raise OSError

    spool = Spool(read)
    assert b"".join(spool.pieces()) == b"a\n"
    spool.close()
