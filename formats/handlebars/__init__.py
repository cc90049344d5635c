"""Handlebars templates, sandboxed: from a user's text to prompt text, and to nothing else.

template = compile_template("<|user|>{{content}}", name="user")
template.render({"content": "hi"})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from formats.handlebars import limits
from formats.handlebars.cache import Cache
from formats.handlebars.engine import Compiler, Template
from formats.handlebars.errors import TemplateError, TemplateLimitError, TemplateSyntaxError, TemplateWarning
from formats.handlebars.folding import Var
from formats.handlebars.helpers import CONTEXT_HELPERS, DEFAULT_HELPERS, HelperSet
from formats.handlebars.options import Options
from formats.handlebars.regions import Piece, Region

_cache: Cache[Template] = Cache(limits.CACHED_TEMPLATES, limits.CACHED_CHARACTERS)


def compile_template(
    source: str,
    helpers: HelperSet | None = None,
    name: str = "template",
    *,
    partials: Mapping[str, str] | None = None,
    escape: bool = False,
    strict: bool = False,
    variables: Iterable[str] | None = None,
    unknown_variables: Literal["error", "warn"] = "error",
) -> Template:
    """The template of `source`, from the cache if it was compiled before; raises TemplateError with the place.

    `name` is what errors call it. `helpers` None: the documented ones; CONTEXT_HELPERS adds the role blocks. `partials`
    are sources by name. `variables` is the closed set of root names: another one is an error, or with
    `unknown_variables` "warn" one of the template's `warnings`. `strict`: printing what is not there is an error.
    `escape`: HTML-escape `{{x}}`.
    """
    options = Options(
        escape=escape,
        strict=strict,
        variables=None if variables is None else frozenset(variables),
        unknown_variables_are_errors=unknown_variables == "error",
    )
    chosen = helpers or DEFAULT_HELPERS
    sources = tuple(sorted((partials or {}).items()))
    key = (source, name, chosen, sources, options)
    weight = len(source) + sum(len(text) for _, text in sources)
    return _cache.get(key, weight, lambda: Compiler(chosen, options).template(source, name, dict(sources)))


__all__ = [
    "CONTEXT_HELPERS",
    "DEFAULT_HELPERS",
    "HelperSet",
    "Piece",
    "Region",
    "Template",
    "TemplateError",
    "TemplateLimitError",
    "TemplateSyntaxError",
    "TemplateWarning",
    "Var",
    "compile_template",
]
