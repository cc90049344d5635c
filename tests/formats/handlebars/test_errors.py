"""Syntax errors: where they are, what was there, what was expected."""

from __future__ import annotations

import pytest

from formats.handlebars import TemplateError, TemplateSyntaxError, compile_template


def refused(source: str, **options: object) -> TemplateSyntaxError:
    with pytest.raises(TemplateSyntaxError) as caught:
        compile_template(source, **options)
    return caught.value


@pytest.mark.parametrize(
    ("source", "line", "column", "message"),
    [
        ("a\n{{#if x}}b", 2, 1, "block {{#if}} is never closed"),
        ("{{#if a}}\n\n  {{/each}}", 3, 3, "if doesn't match each (opened at line 1, column 1)"),
        ("a {{/if}}", 1, 3, "{{/if}} closes nothing"),
        ("{{json a=1 b}}", 1, 12, "a positional argument cannot follow key=value arguments"),
        ("{{foo/..}}", 1, 3, "Invalid path: foo/.."),
        ("{{! never", 1, 1, "comment is never closed, expected '}}'"),
        ("{{!-- a }}", 1, 1, "comment is never closed, expected '--}}'"),
        ('{{upper "a}}', 1, 9, 'string is never closed, expected "'),
        ("{{upper (lower a}}", 1, 17, "unexpected '}', expected ')'"),
        ("{{{a}}", 1, 5, "unexpected '}', expected '}}}'"),
        ("{{a}}}", 1, 4, "unexpected '}', expected '}}'"),
        ("{{}}", 1, 3, "unexpected '}', expected a name"),
        ("{{a b=}}", 1, 7, "unexpected '}', expected a name or a value"),
        ("x {{name", 1, 3, "the tag is never closed: unexpected end of template, expected '}}'"),
        ("{{#each a as |}}{{/each}}", 1, 15, "unexpected '}', expected a block parameter's name"),
        ("{{a.0}}", 1, 5, "unexpected '0', expected a name (write [..] for a number or keyword)"),
        ("{{else}}", 1, 1, "{{else}} stands outside of a block"),
        ("{{#if a}}{{else}}{{else}}{{/if}}", 1, 18, "{{else}} comes after the final {{else}}"),
        ("{{#if a}}{{else}}{{else if b}}{{/if}}", 1, 18, "{{else …}} comes after the final {{else}}"),
        ("{{^a}}{{else if b}}{{/a}}", 1, 7, "{{else …}} is not allowed in an inverted block, only {{else}}"),
        ("{{#> p}}{{else}}{{/p}}", 1, 9, "{{else}} is not allowed in {{#>p}}"),
        ("{{{{raw}}}} x", 1, 1, "raw block {{{{raw}}}} is never closed"),
        ("{{{{a}}}}x{{{{/b}}}}", 1, 11, "a doesn't match b"),
        # names and operands
        ("{{systemblok a}}", 1, 3, 'unknown helper "systemblok"'),
        ("{{uper a}}", 1, 3, 'unknown helper "uper", did you mean "upper"?'),
        ("{{a.b c}}", 1, 3, 'unknown helper "a.b"'),
        ("{{log a}}", 1, 3, 'unknown helper "log"'),
        ("{{#if (eqq a b)}}{{/if}}", 1, 7, 'unknown helper "eqq", did you mean "eq"?'),
        ("{{eq a}}", 1, 3, '"eq" takes 2 operands, not 1'),
        ("{{not a b}}", 1, 3, '"not" takes 1 operand, not 2'),
        ("{{and}}", 1, 3, '"and" takes at least 1 operand, not 0; for a variable of that name write "this.and"'),
        ("{{join}}", 1, 3, '"join" takes 1 to 2 operands, not 0; for a variable of that name write "this.join"'),
        ("{{#if a b}}{{/if}}", 1, 4, "#if requires exactly one argument, not 2"),
        ("{{#each}}{{/each}}", 1, 4, "Must pass iterator to #each: it takes exactly one argument"),
        ("{{json a indet=2}}", 1, 3, '"json" has no key "indet"; it has indent'),
        ("{{upper a x=1}}", 1, 3, '"upper" has no key "x"'),
        ("{{#eq a b}}{{/eq}}", 1, 1, '"eq" is no block: write {{#if (eq …)}}…{{/if}}'),
        ("{{if a}}", 1, 3, '"if" is a block: write {{#if …}}…{{/if}}'),
        ("{{*deco}}", 1, 1, "decorators are not supported"),
        ("{{#*deco}}{{/deco}}", 1, 1, "decorators other than inline are not supported"),
        ("{{#*inline}}{{/inline}}", 1, 1, 'inline takes one operand, the name: {{#*inline "name"}}'),
        ("{{> nope}}", 1, 1, "The partial nope could not be found"),
        ("{{> p a b}}", 1, 1, "Unsupported number of partial arguments: 2"),
        ("{{#userBlock}}{{/userBlock}}", 1, 1, "{{#userBlock}} works in context templates only"),
    ],
)
def test_message_and_place(source: str, line: int, column: int, message: str) -> None:
    error = refused(source, partials={"p": ""})
    assert (error.line, error.column, error.message) == (line, column, message)


def test_an_error_has_a_name_and_an_excerpt_and_reads_well() -> None:
    error = refused("first\n\tsecond {{uper name}} rest\nthird", name="user")
    assert error.name == "user"
    assert error.excerpt == "\tsecond {{uper name}} rest\n\t         ^"
    assert str(error) == f'user: line 2, column 11: unknown helper "uper", did you mean "upper"?\n{error.excerpt}'


def test_an_excerpt_of_a_long_line_is_a_window() -> None:
    shown, caret = refused("x" * 500 + "{{#if}}{{/if}}" + "y" * 500).excerpt.split("\n")
    assert len(shown) == 80
    assert shown[len(caret) - 1 :].startswith("if}}{{/if}}")


def test_an_error_in_a_partial_names_it() -> None:
    error = refused("{{> p}}", partials={"p": "\n{{uper a}}"})
    assert (error.name, error.line, error.column) == ("p", 2, 3)


class TestUnknownVariables:
    VARIABLES = ("content", "role", "name")

    def test_an_error_with_the_nearest_name(self) -> None:
        error = refused("<{{contnt}}>", variables=self.VARIABLES)
        assert (error.message, error.column) == ('unknown variable "contnt", did you mean "content"?', 4)

    def test_a_misspelt_block_is_one_too(self) -> None:
        assert refused("{{#iff}}{{/iff}}", variables=self.VARIABLES).message.endswith('did you mean "if"?')

    def test_a_warning_in_context_templates(self) -> None:
        template = compile_template("\n{{contnt}}", variables=self.VARIABLES, unknown_variables="warn")
        (warning,) = template.warnings
        assert (warning.line, warning.column, warning.name_hint) == (2, 3, "content")
        assert template.render({"contnt": "x"}) == "\nx"

    @pytest.mark.parametrize(
        "source",
        [
            "{{content}}",
            "{{this.content}}",
            "{{./role}}",
            "{{@root.name}}",
            "{{#with name}}{{anything}}{{../role}}{{/with}}",
            "{{#each content as |item i|}}{{item.x}}{{i}}{{y}}{{@index}}{{/each}}",
            "{{content.anything}}",
        ],
    )
    def test_names_inside_values_are_free(self, source: str) -> None:
        assert compile_template(source, variables=self.VARIABLES).warnings == ()

    @pytest.mark.parametrize(
        "source",
        [
            "{{this.x}}",
            "{{./x}}",
            "{{@root.x}}",
            "{{#if x}}{{/if}}",
            "{{upper x}}",
            "{{#if (eq x 1)}}{{/if}}",
            "{{#with x}}{{/with}}",
            "{{#each name}}{{../x}}{{/each}}",
            "{{#if name}}{{x}}{{/if}}",
            "{{#x}}{{/x}}",
            "{{json name indent=x}}",
            "{{x.y}}",
        ],
    )
    def test_wherever_the_root_is_read(self, source: str) -> None:
        assert refused(source, variables=self.VARIABLES).message == 'unknown variable "x"'


class TestStrict:
    def test_missing_is_an_error_with_a_place(self) -> None:
        template = compile_template("a\n {{user.name}}", strict=True)
        with pytest.raises(TemplateError) as caught:
            template.render({"user": {}})
        assert (caught.value.line, caught.value.column) == (2, 4)
        assert caught.value.message == '"name" not defined in dict'

    def test_null_is_there(self) -> None:
        assert compile_template("<{{a}}>", strict=True).render({"a": None}) == "<>"

    def test_operands_may_be_missing(self) -> None:
        assert compile_template("{{#if a}}1{{else}}2{{/if}}", strict=True).render({}) == "2"
