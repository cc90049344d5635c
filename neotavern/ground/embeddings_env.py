"""Reads where vectors come from: nowhere, the offline model, or an OpenAI-compatible `/embeddings` address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from neotavern.ground.env import SettingsError

URL: Final = "NEOTAVERN_EMBEDDINGS_URL"
MODEL: Final = "NEOTAVERN_EMBEDDINGS_MODEL"
HOSTS: Final = "NEOTAVERN_EMBEDDINGS_HOSTS"


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Where vectors come from. Without `url` the offline model, where it is installed; `is_on` False: from nowhere.

    `url` ends in `/embeddings`; `timeout` is in seconds; `floor` is a cosine.
    """

    is_on: bool = True
    url: str = ""
    model: str = ""
    key: str = ""
    timeout: int = 10
    floor: float = 0.31


def endpoint(url: str, model: str, hosts: Sequence[str]) -> str:
    """Return the full address for a base `url` such as `https://host/v1`, empty for none. A wrong value ends the start.

    Only hosts of the list may be asked, so that a typing error in the address sends no text of a chat to strangers.
    """
    if not url:
        if model:
            raise SettingsError(MODEL, f"a model needs its address: set {URL}")
        return ""
    parts = urlsplit(url)
    try:
        host, _port = parts.hostname or "", parts.port
    except ValueError as error:
        raise SettingsError(URL, str(error)) from error
    if parts.scheme not in ("http", "https") or not host or parts.username or parts.query or parts.fragment:
        raise SettingsError(URL, f"{url!r} is no address like https://host/v1")
    if host not in {allowed.strip("[]").lower() for allowed in hosts}:
        raise SettingsError(URL, f"the host {host!r} is not in {HOSTS}")
    if not model:
        raise SettingsError(MODEL, f"name the model that {URL} shall use")
    return url.rstrip("/").removesuffix("/embeddings") + "/embeddings"
