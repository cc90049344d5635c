"""Shared by all tests: a data folder of their own, and no rate limit."""

from __future__ import annotations

import os
import tempfile

# settings are read at import, so this comes first
os.environ.setdefault("NEOTAVERN_DATA", tempfile.mkdtemp(prefix="neotavern-tests-"))
os.environ.setdefault("NEOTAVERN_RATE_LIMIT", "0")

from django.conf import settings

from neotavern.ground.embeddings_env import Embeddings

settings.EMBEDDINGS = Embeddings(is_on=False)  # where the extra is installed, saving a book would load its model
