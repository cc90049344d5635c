"""Interceptors: what may change an assembled prompt before it is text. Some are data: rules."""

from __future__ import annotations

from chats.pipeline.interceptors.port import Interceptor, InterceptorError
from chats.pipeline.interceptors.rules import Drop, Insert, Replace, RuleInterceptor, read_interceptor

__all__ = ["Drop", "Insert", "Interceptor", "InterceptorError", "Replace", "RuleInterceptor", "read_interceptor"]
