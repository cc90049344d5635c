"""SQLite's test database is a file here: threads that share one in memory lock each other out instead of waiting."""

from __future__ import annotations

import os

from django.db import connections

_settings = connections["default"].settings_dict
if _settings["ENGINE"] == "django.db.backends.sqlite3":
    _settings["TEST"]["NAME"] = os.path.join(os.environ["NEOTAVERN_DATA"], "test.sqlite3")
