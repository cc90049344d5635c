"""Templates that want to harm: each ends in a typed error, soon, and the next render is served as if nothing was."""

from __future__ import annotations

import pytest

from formats.jinja import JinjaLimitError, JinjaRenderError, compile_chat_template

BY_JINJA2 = "{{% generation %}}{}{{% endgeneration %}}"
WRAPPED = "{% set n = namespace(x=[1]) %}{% for i in range(90000) %}{% set n.x = [n.x] %}{% endfor %}"
LIMITS = {
    "nested ranges": "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}",
    "a range too far": "{{ range(10**9) | list | length }}",
    "huge repeat": "{{ 'a' * 10**10 }}",
    "huge repeated list": "{{ ([1] * 10**10) | length }}",
    "doubled list": "{% set n = namespace(x=[1]) %}{% for i in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}",
    "replaced": "{{ ('x' * 90000).replace('x', 'y' * 90000) }}",
    "joined": "{{ range(90000) | join('x' * 90000) }}",
    "wide format": "{{ '{:9999999999}'.format(1) }}",
    "wide percent format": "{{ '%9999999999d' | format(1) }}",
    "wide indent": "{{ {'a': 1} | tojson(indent=10**9) }}",
    "justified": "{{ 'x'.ljust(10**10) }}",
    "endless macro": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "endless loop": "{% for m in [messages] recursive %}{{ loop([[m]]) }}{% endfor %}",
    "deep value printed": WRAPPED + "{{ n.x }}",
    "deep value as JSON": WRAPPED + "{{ n.x | tojson }}",
    "deep parentheses": "{{ " + "(" * 30000 + "1" + ")" * 30000 + " }}",
    "deep blocks": "{% if 1 %}" * 3000 + "{% endif %}" * 3000,
    "long output": "{% for i in range(90000) %}{{ 'x' * 9000 }}{% endfor %}",
}
LIMITS_OF_JINJA2 = {
    "nested ranges": LIMITS["nested ranges"],
    "huge repeat": LIMITS["huge repeat"],
    "huge repeated list": LIMITS["huge repeated list"],
    "doubled list": LIMITS["doubled list"],
    "wide percent format": "{{ '%9999999999d' % 1 }}",
    "huge power": "{% set n = 9 %}{{ (n ** 999999999) | length }}",
    "endless macro": LIMITS["endless macro"],
    "deep value printed": LIMITS["deep value printed"],
    "long output": LIMITS["long output"],
}
FORBIDDEN = [
    "{{ ''.__class__.__mro__ }}",
    "{{ messages.__class__.__base__.__subclasses__() }}",
    "{{ (messages | attr('__class__')).__mro__ }}",
    "{{ raise_exception.__globals__['os'].system('id') }}",
    "{{ cycler.__init__.__globals__ }}",
    "{{ '{0.__class__.__mro__}'.format(messages) }}",
    "{{ messages.clear() }}",
    "{{ messages.append(1) }}",
    "{{ messages[0].update({'role': 'system'}) }}",
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}{{ os }}",
]
VARIABLES = {"messages": [{"role": "user", "content": "Hi"}]}


def still_serves() -> bool:
    return compile_chat_template("{{ messages[0].content }}").render(VARIABLES) == "Hi"


@pytest.mark.parametrize("source", LIMITS.values(), ids=LIMITS.keys())
def test_limits(source: str) -> None:
    with pytest.raises(JinjaLimitError):
        compile_chat_template(source).render(VARIABLES)
    assert still_serves()


@pytest.mark.parametrize("source", LIMITS_OF_JINJA2.values(), ids=LIMITS_OF_JINJA2.keys())
def test_limits_of_jinja2(source: str) -> None:
    with pytest.raises(JinjaLimitError):
        compile_chat_template(BY_JINJA2.format(source)).render(VARIABLES)
    assert still_serves()


@pytest.mark.parametrize("source", FORBIDDEN)
@pytest.mark.parametrize("around", ["{}", BY_JINJA2])
def test_nothing_of_python_is_reached(source: str, around: str) -> None:
    with pytest.raises(JinjaRenderError):
        compile_chat_template(around.format(source)).render(VARIABLES)


@pytest.mark.parametrize(
    "source",
    [
        "{{ '{a.__class__}'.format_map({'a': messages}) }}",
        "{{ messages | attr('__class__') }}",
        "{{ raise_exception.__globals__ }}",
        "{{ self.__init__ }}",
    ],
)
def test_attributes_of_python_print_nothing(source: str) -> None:
    assert compile_chat_template(source).render(VARIABLES) == ""


def test_a_limit_has_a_place_where_the_engine_tells() -> None:
    with pytest.raises(JinjaLimitError) as caught:
        compile_chat_template("a\n{{ 'b' * 10**10 }}").render(VARIABLES)
    assert (caught.value.line, caught.value.column) == (2, 4)


def test_after_one_call_came_to_its_bound_the_others_are_not_tried() -> None:
    source = "{% if x %}{{ range(10**9) | list }}{% endif %}ok"
    first, second, third = compile_chat_template(source).render_all([{"x": 0}, {"x": 1}, {"x": 0}])
    assert first == "ok"
    assert isinstance(second, JinjaLimitError)
    assert isinstance(third, JinjaLimitError)
