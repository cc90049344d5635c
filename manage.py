#!/usr/bin/env python
"""Command line of the prompt server: `manage.py quickstart`, `render`, `formats check`, and Django's own commands."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neotavern.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
