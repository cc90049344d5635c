"""LiteLLM's custom prompt templates in: roles with a text before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Document, Fields, Loss, Part, Reader, heading, is_object, stem, type_name
from formats.interchange.wording import framed, stops_of, tokens_in
from formats.prompt.errors import Fault, FormatError

KIND: Final = "instruct-format"
NAME: Final = "model_name"


def split_models(document: Any) -> list[Part] | None:
    """Return each model of a configuration that has roles, as a document; the rest of the file is a loss."""
    if not is_object(document, "model_list") or not isinstance(document["model_list"], list):
        return None
    models = [one for one in document["model_list"] if is_model(one)]
    if not models:
        return None
    lost = [Loss(str(key), "is no part of a layout") for key in document if key != "model_list"]
    lost += [
        Loss(f"model_list[{at}]", "has no roles") for at, one in enumerate(document["model_list"]) if not is_model(one)
    ]
    parts = [Part(str(model.get(NAME) or ""), model) for model in models]
    return [parts[0]._replace(losses=tuple(lost)), *parts[1:]]


def is_model(document: Any) -> bool:
    """Return whether `document` is one model with roles."""
    return is_object(document, "litellm_params") and is_object(document["litellm_params"], "roles")


def read_model(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return the format of one model."""
    outer = Fields(document)
    fields = Fields(document["litellm_params"], "litellm_params")
    made = heading(KIND, 2, outer.text(NAME) or stem(name), "LiteLLM model")
    outer.raw("litellm_params")
    fields.text("model")
    tags = _roles(fields.raw("roles"))
    made |= {role: framed(*tags.get(role, tags["user"])) for role in ("system", "user", "assistant", "tool")}
    bos, eos = fields.text("bos_token"), fields.text("eos_token")
    made |= {
        "prefix": fields.text("initial_prompt_value"),
        "bos": bos,
        "promptSuffix": fields.text("final_prompt_value"),
        "stopStrings": stops_of([eos]),
        "specialTokens": _tokens(tags, bos, eos),
    }
    outer.adopt([fields], "is a setting of the call, not of the layout")
    return made, outer.finish("is a setting of the call, not of the layout")


def _roles(value: Any) -> dict[str, tuple[str, str]]:
    if not isinstance(value, Mapping):
        raise FormatError(Fault("litellm_params.roles", f"must be an object, not {type_name(value)}"))
    tags = {}
    for role, around in value.items():
        place = f"litellm_params.roles.{role}"
        if not isinstance(around, Mapping):
            raise FormatError(Fault(place, f"must be an object, not {type_name(around)}"))
        tag = Fields(around, place)
        tags[str(role)] = (tag.text("pre_message"), tag.text("post_message"))
        tag.finish("")
    return {"user": ("", ""), "assistant": ("", ""), "system": ("", ""), **tags}


def _tokens(tags: Mapping[str, tuple[str, str]], bos: str, eos: str) -> list[Any]:
    named = [{"token": text, "meaning": meaning} for text, meaning in ((bos, "bos"), (eos, "eos")) if text]
    return [
        *named,
        *(token for token in tokens_in(text for pair in tags.values() for text in pair) if token not in (bos, eos)),
    ]


READERS: Final = (Reader(KIND, "LiteLLM prompt template", "litellm", is_model, read_model),)
