"""Tools as TypeScript declarations, in Jinja: what `formats.prompt.typescript` does, step by step."""

from __future__ import annotations

from typing import Final

TYPESCRIPT: Final = "ts_declared"

_MACROS: Final = r"""
{%- macro ts_simple(kind) -%}
{%- if kind == 'string' -%}string{%- elif kind in ['number', 'integer'] -%}number{%- elif kind == 'boolean' -%}boolean
{%- else -%}any{%- endif -%}
{%- endmacro -%}
{%- macro ts_null(spec) -%}{%- if spec['nullable'] -%}{{- ' | null' -}}{%- endif -%}{%- endmacro -%}
{%- macro ts_object(spec, depth) -%}
{%- if spec['properties'] -%}
{{- '{\n' -}}
{%- for key, one in spec['properties']|items -%}
{{- ', ' if not loop.first else '' -}}{{- key -}}{{- '' if key in (spec['required'] or []) else '?' -}}{{- ': ' -}}
{{- ts_type(one, depth + 1) -}}
{%- endfor -%}
{{- '}' -}}
{%- else -%}object{%- endif -%}
{%- endmacro -%}
{%- macro ts_union(specs, depth) -%}
{%- set ts = namespace(object=false) -%}
{%- for one in specs -%}{%- if one['type'] == 'object' -%}{%- set ts.object = true -%}{%- endif -%}{%- endfor -%}
{%- if specs|length > 1 and ts.object -%}any
{%- else -%}
{%- for one in specs -%}
{{- ' | ' if not loop.first else '' -}}{{- ts_type(one, depth + 1) -}}
{%- if one['description'] -%}{{- '// ' -}}{{- one['description'] -}}{%- endif -%}
{%- if one['default'] is defined -%}{{- ' // default: ' -}}{{- one['default']|tojson -}}{%- endif -%}
{%- endfor -%}
{%- endif -%}
{%- endmacro -%}
{%- macro ts_type(spec, depth) -%}
{%- set kind = spec['type'] -%}
{%- if depth > 32 -%}any
{%- elif kind == 'array' -%}
{%- set items = spec['items'] -%}
{%- if not items -%}any[]
{%- elif items['type'] in ['string', 'number', 'integer', 'boolean'] -%}{{- ts_simple(items['type']) -}}[]
{%- else -%}
{%- set inner -%}{{- ts_type(items, depth + 1) -}}{%- endset -%}
{%- if inner == 'object | object' or inner|length > 50 -%}any[]{%- else -%}{{- inner -}}[]{%- endif -%}
{%- endif -%}
{{- ts_null(spec) -}}
{%- elif kind and kind is sequence and kind is not string -%}{{- kind|join(' | ') -}}
{%- elif spec['oneOf'] -%}{{- ts_union(spec['oneOf'], depth) -}}
{%- elif kind == 'object' -%}{{- ts_object(spec, depth) -}}{{- ts_null(spec) -}}
{%- elif kind == 'string' and spec['enum'] -%}{{- '"' ~ spec['enum']|join('" | "') ~ '"' -}}
{%- else -%}{{- ts_simple(kind) -}}{%- if kind == 'string' -%}{{- ts_null(spec) -}}{%- endif -%}
{%- endif -%}
{%- endmacro -%}
{%- macro ts_parameter(key, spec, required) -%}
{%- if spec['description'] -%}{{- '// ' -}}{{- spec['description'] -}}{{- '\n' -}}{%- endif -%}
{{- key -}}{{- '' if required else '?' -}}{{- ': ' -}}{{- ts_type(spec, 0) -}}
{%- if spec['default'] is defined -%}
{{- '' if spec['oneOf'] and not spec['enum'] else ', ' -}}{{- '// default: ' -}}
{%- if spec['default'] is string and (spec['enum'] or spec['oneOf']) -%}{{- spec['default'] -}}
{%- else -%}{{- spec['default']|tojson -}}{%- endif -%}
{%- endif -%}
{{- ',\n' -}}
{%- endmacro -%}
{%- macro ts_declared(tool) -%}
{%- if tool is sequence and tool is not mapping and tool is not string -%}
{%- for one in tool -%}{{- '\n\n' if not loop.first else '' -}}{{- ts_declared(one) -}}{%- endfor -%}
{%- else -%}
{%- set call = tool['function'] if tool['function'] is mapping else tool -%}
{%- set parameters = call['parameters'] or {} -%}
{%- if call['description'] -%}{{- '// ' -}}{{- call['description'] -}}{{- '\n' -}}{%- endif -%}
{%- if parameters['properties'] -%}
{{- 'type ' ~ call['name'] ~ ' = (_: {\n' -}}
{%- for key, one in parameters['properties']|items -%}
{{- ts_parameter(key, one, key in (parameters['required'] or [])) -}}
{%- endfor -%}
{{- '}) => any;' -}}
{%- else -%}{{- 'type ' ~ call['name'] ~ ' = () => any;' -}}
{%- endif -%}
{%- endif -%}
{%- endmacro -%}
"""


def typescript_macros() -> str:
    """Return the macros; `ts_declared` writes a tool, or a list of them."""
    return _MACROS.lstrip("\n")
