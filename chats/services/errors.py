"""The table that turns what the PURE rooms raise into error codes, for operations, pages, batch lines and commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from chats.pipeline.budget import BudgetExceeded
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


def exceeded(error: BudgetExceeded) -> AppError:
    """Return the AppError for a prompt that can not be made short enough; its details say what fills it."""
    details = [
        Detail(part.origin, f"{part.tokens:,} tokens" + (f" in {part.messages} messages" if part.messages > 1 else ""))
        for part in error.parts
    ]
    return AppError(ErrorCode.TOKEN_BUDGET_EXCEEDED, str(error), params=error.params, details=details)


@contextmanager
def app_errors(within: str = "") -> Iterator[None]:
    """Raise AppError for every error of a PURE room. Faults of a format document begin with `within`."""
    try:
        yield
    except FormatError as error:
        raise refused(error, within=within) from error
    except (PromptError, TemplateError) as error:
        raise refused(error) from error
    except BudgetExceeded as error:
        raise exceeded(error) from error
