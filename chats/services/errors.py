"""The table that turns what the PURE rooms raise into error codes, for operations, pages, batch lines and commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from formats.handlebars import TemplateError, TemplateLimitError
from formats.prompt.errors import FormatError, PromptError
from formats.stored.faults import refusal
from neotavern.ground.errors import AppError, Detail, ErrorCode


def refused(error: PromptError | TemplateError, *, within: str = "") -> AppError:
    """Return the AppError for an error of a PURE room; `within` is the field that holds the document at fault."""
    if isinstance(error, PromptError):
        return refusal(FormatError([fault.within(within) for fault in error.faults]) if within else error)
    limit = isinstance(error, TemplateLimitError)
    code = ErrorCode.TEMPLATE_LIMIT if limit else ErrorCode.TEMPLATE_SYNTAX
    path = f"{within}.{error.name}" if within and error.name else within or error.name
    detail = Detail(path, error.message, error.line, error.column)
    return AppError(code, f"{path}: {error.message}" if path else error.message, details=[detail])


@contextmanager
def app_errors(within: str = "") -> Iterator[None]:
    """Raise AppError for every error of a PURE room. Faults of a format document begin with `within`."""
    try:
        yield
    except FormatError as error:
        raise refused(error, within=within) from error
    except (PromptError, TemplateError) as error:
        raise refused(error) from error
