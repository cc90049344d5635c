"""An embeddings service: what it is asked, what it may answer, and that a failure is one line and a rest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import orjson
import pytest

from chats.infill.semantic.ports import EmbedderFailed
from chats.services.embedding.endpoint import Endpoint
from neotavern.ground.embeddings_env import Embeddings, endpoint
from neotavern.ground.env import SettingsError

Answer = Callable[[Any], tuple[int, bytes]]


class Service:
    """A server of its own that answers as a test says."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        self.answer: Answer = lambda body: (200, vectors(body["input"]))
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = orjson.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.asked.append((self.path, dict(self.headers), body))
                status, answer = service.answer(body)
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "http://127.0.0.1:1/")
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_args: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1/embeddings"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


def vectors(texts: list[str]) -> bytes:
    rows = [{"index": at, "embedding": [float(len(text)), 1.0]} for at, text in enumerate(texts)]
    return orjson.dumps({"data": rows[::-1]})


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.server.shutdown()
    made.server.server_close()


def asking(service: Service, **more: Any) -> Endpoint:
    return Endpoint(Embeddings(url=service.url, model="m", key="secret", **more))


def test_texts_are_sent_in_batches_and_answers_put_in_order(service: Service) -> None:
    rows = asking(service)(["x" * at for at in range(1, 41)], False)
    assert [row[0] for row in rows.tolist()] == list(range(1, 41))
    assert [len(body["input"]) for _, _, body in service.asked] == [32, 8]
    path, headers, body = service.asked[0]
    assert (path, headers["Authorization"]) == ("/v1/embeddings", "Bearer secret")
    assert {key: value for key, value in body.items() if key != "input"} == {"model": "m", "encoding_format": "float"}


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda _: (500, b"secret"), "The embeddings service answered 500"),
        (lambda _: (302, b""), "The embeddings service answered 302"),
        (lambda _: (200, b"{}"), "The embeddings service answered something that is no list of vectors"),
        (lambda _: (200, vectors([])), "The embeddings service answered 0 vectors for 1 texts"),
        (
            lambda _: (200, b'{"data":[{"index":0,"embedding":["x"]}]}'),
            "The embeddings service answered vectors of different sizes",
        ),
        (
            lambda _: (200, b'{"data":[{"index":0,"embedding":[]}]}'),
            "The embeddings service answered something that is no list of vectors",
        ),
    ],
)
def test_a_wrong_answer_is_one_line(service: Service, answer: Answer, says: str) -> None:
    service.answer = answer
    with pytest.raises(EmbedderFailed) as caught:
        asking(service)(["a"], False)
    assert str(caught.value) == says


def test_after_a_failure_it_is_left_alone(service: Service) -> None:
    service.answer = lambda _: (503, b"")
    endpoint_ = asking(service)
    for _ in range(3):
        with pytest.raises(EmbedderFailed):
            endpoint_(["a"], False)
    assert len(service.asked) == 1


def test_it_may_take_only_so_long(service: Service) -> None:
    service.answer = lambda body: (time.sleep(1.5), (200, vectors(body["input"])))[1]
    with pytest.raises(EmbedderFailed, match="took more than 1 seconds"):
        asking(service, timeout=1)(["a"], False)


def test_nobody_there() -> None:
    with pytest.raises(EmbedderFailed, match="can not be reached"):
        Endpoint(Embeddings(url="http://127.0.0.1:1/embeddings", model="m"))(["a"], False)


class TestSettings:
    def test_an_address_is_completed(self) -> None:
        assert endpoint("https://e.example/v1/", "m", ["e.example"]) == "https://e.example/v1/embeddings"
        assert endpoint("http://[::1]:8000/v1/embeddings", "m", ["[::1]"]) == "http://[::1]:8000/v1/embeddings"

    def test_none_is_none(self) -> None:
        assert endpoint("", "", []) == ""

    @pytest.mark.parametrize(
        ("url", "model", "says"),
        [
            (
                "ftp://localhost/",
                "m",
                "NEOTAVERN_EMBEDDINGS_URL: 'ftp://localhost/' is no address like https://host/v1",
            ),
            ("http://user:x@localhost/", "m", "NEOTAVERN_EMBEDDINGS_URL: "),
            ("http://localhost:99999/", "m", "NEOTAVERN_EMBEDDINGS_URL: Port out of range 0-65535"),
            (
                "http://evil.example/v1",
                "m",
                "NEOTAVERN_EMBEDDINGS_URL: the host 'evil.example' is not in NEOTAVERN_EMBEDDINGS_HOSTS",
            ),
            (
                "http://localhost/v1",
                "",
                "NEOTAVERN_EMBEDDINGS_MODEL: name the model that NEOTAVERN_EMBEDDINGS_URL shall use",
            ),
            ("", "m", "NEOTAVERN_EMBEDDINGS_MODEL: a model needs its address: set NEOTAVERN_EMBEDDINGS_URL"),
        ],
    )
    def test_a_wrong_value_is_one_line_that_names_the_variable(self, url: str, model: str, says: str) -> None:
        with pytest.raises(SettingsError) as caught:
            endpoint(url, model, ["localhost"])
        assert str(caught.value).startswith(says)
