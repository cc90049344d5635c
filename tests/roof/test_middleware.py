"""What surrounds every request: ids, limits, headers, errors in the caller's language."""

from __future__ import annotations

import pytest
from django.test import Client, TestCase, override_settings

from neotavern.ground import limits
from neotavern.middleware.body_limit import ChunkedBody
from neotavern.middleware.rate_limit import MinuteCounter
from tests.teams import TeamTestCase


class RequestIdTests(TestCase):
    def test_a_sane_id_from_in_front_is_kept(self) -> None:
        response = self.client.get("/api/v1/health", headers={"X-Request-ID": "gateway-0001"})
        assert response["X-Request-ID"] == "gateway-0001"

    def test_a_hostile_id_is_replaced(self) -> None:
        response = self.client.get("/api/v1/health", headers={"X-Request-ID": "x y{}" * 30})
        assert len(response["X-Request-ID"]) == 16

    def test_the_log_has_one_line_with_it(self) -> None:
        with self.assertLogs("neotavern.request", "INFO") as logs:
            self.client.get("/api/v1/health", headers={"X-Request-ID": "gateway-0002"})
        [record] = logs.records
        fields = record.fields  # type: ignore[attr-defined]
        assert fields.pop("ms") >= 0
        assert fields == {"id": "gateway-0002", "method": "GET", "path": "/api/v1/health", "status": 200}


class HealthTests(TestCase):
    def test_alive_at_both_addresses(self) -> None:
        for address in ("/health", "/api/v1/health"):
            response = self.client.get(address)
            assert (response.status_code, response.json()) == (200, {"status": "ok"})

    def test_ready_says_what_it_checked(self) -> None:
        assert self.client.get("/ready").json() == {
            "status": "ready",
            "checks": {"database": "ok", "migrations": "ok", "cache": "ok"},
        }

    @override_settings(
        CACHES={
            "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
        }
    )
    def test_a_missing_cache_is_named(self) -> None:
        response = self.client.get("/api/v1/ready")
        error = response.json()["error"]
        assert (response.status_code, error["code"]) == (503, "NOT_READY")
        assert error["params"]["cache"] != "ok"
        assert error["params"]["database"] == "ok"


class ApiErrorTests(TeamTestCase):
    def test_an_unknown_address_is_json(self) -> None:
        self.assert_error(self.get(self.alice, "/api/v1/nothing"), 404, "NOT_FOUND")

    def test_a_wrong_method_is_json(self) -> None:
        error = self.assert_error(self.post(None, "/api/v1/health"), 405, "METHOD_NOT_ALLOWED")
        assert error["params"] == {"allow": ["GET"]}

    def test_a_body_that_says_it_is_too_large_is_not_read(self) -> None:
        response = self.client.generic("POST", "/api/v1/render", b"{}", CONTENT_LENGTH=str(limits.MAX_BODY_BYTES + 1))
        self.assert_error(response, 413, "PAYLOAD_TOO_LARGE", {"limit": limits.MAX_BODY_BYTES})

    def test_no_key_is_401_and_says_how(self) -> None:
        response = self.get(None, "/api/v1/formats")
        self.assert_error(response, 401, "UNAUTHENTICATED")
        assert response["WWW-Authenticate"] == "Bearer"

    def test_an_unknown_key_is_401(self) -> None:
        response = self.client.get("/api/v1/formats", headers={"Authorization": "Bearer nt_" + "x" * 40})
        self.assert_error(response, 401, "UNAUTHENTICATED")


class PolicyTests(TestCase):
    def test_nothing_inline_may_run(self) -> None:
        policy = self.client.get("/login/")["Content-Security-Policy"]
        assert "unsafe-inline" not in policy
        assert "unsafe-eval" not in policy
        assert "default-src 'none'" in policy

    def test_framing_and_sniffing_are_off(self) -> None:
        response = self.client.get("/login/")
        assert response["X-Frame-Options"] == "DENY"
        assert response["X-Content-Type-Options"] == "nosniff"


class ChunkedBodyTests:
    """A body of unknown length."""


def test_a_chunked_body_ends_where_the_stream_ends() -> None:
    import io

    assert ChunkedBody(io.BytesIO(b"abc"), 3).read() == b"abc"


def test_one_byte_past_the_limit_is_refused() -> None:
    import io

    from neotavern.ground.errors import AppError

    with pytest.raises(AppError) as caught:
        ChunkedBody(io.BytesIO(b"abcd"), 3).read()
    assert caught.value.status == 413


def test_a_counter_starts_again_each_minute() -> None:
    counter = MinuteCounter()
    assert [counter.add("a", 1), counter.add("a", 1), counter.add("b", 1), counter.add("a", 2)] == [1, 2, 1, 1]


@override_settings(RATE_LIMIT=2)
class RateLimitTests(TeamTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.client = Client(REMOTE_ADDR="192.0.2.7")

    def test_the_third_request_of_a_minute_waits(self) -> None:
        answers = [self.get(self.alice, "/api/v1/formats") for _ in range(3)]
        if answers[2].status_code == 200:  # the minute turned between them
            answers = [self.get(self.alice, "/api/v1/formats") for _ in range(3)]
        self.assert_error(answers[2], 429, "RATE_LIMITED")
        assert 1 <= int(answers[2]["Retry-After"]) <= 60
        assert answers[2]["X-RateLimit-Remaining"] == "0"

    def test_another_key_is_not_held_up(self) -> None:
        for _ in range(3):
            self.get(self.alice, "/api/v1/formats")
        assert self.get(self.bob, "/api/v1/formats").status_code == 200

    def test_health_is_never_limited(self) -> None:
        assert {self.client.get("/api/v1/health").status_code for _ in range(5)} == {200}
