"""Lint for instruct formats: probe conversations, one rule a file, and the tests a document brings along."""

from __future__ import annotations

from formats.lint.engine import Report, TestOutcome, checks, lint, run_tests

__all__ = ["Report", "TestOutcome", "checks", "lint", "run_tests"]
