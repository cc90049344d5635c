"""Random templates and data, the same for the same seed: over the documented helpers, blocks and tags."""

from __future__ import annotations

import random
from typing import Any

TEXTS = ["a", " ", "\n", "x y", "  ", "\n\n", "\r\n", "<b>&", "{ ", " }", "é😀", "\t", "end.\n", "\n  ", "\\", "$&"]
NAMES = [
    "a",
    "b",
    "name",
    "list",
    "items",
    "flag",
    "zero",
    "none",
    "empty",
    "nested",
    "text",
    "missing",
    "num",
    "blank",
]
SCALARS = ["'x'", '"a"', "0", "1", "2.5", "true", "false", "null", "undefined", '"two words"', "-3", '""', "10"]
TESTS = ["eq", "ne", "lt", "lte", "gt", "gte"]
TEXT_HELPERS = ["trim", "upper", "lower", "length", "json", "join"]
PARTIALS = {
    "row": "[{{name}}|{{this.a}}]",
    "lines": "one {{name}}\ntwo\n\n  three{{k}}\n",
    "deep": "{{#each items}}{{> row}}{{/each}}",
}


class Generator:
    """Makes one template after another."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def case(self) -> dict[str, Any]:
        self.params: list[str] = []
        self.inlines: list[str] = []
        self.escape = self.random.random() < 0.5
        head = self.inline() if self.random.random() < 0.15 else ""
        return {"template": head + self.body(3), "data": self.data(), "partials": PARTIALS, "escape": self.escape}

    # -- data

    def scalar(self) -> Any:
        return self.random.choice(
            ["s", "a", "x", "two words", "", 0, 1, 2.5, -3, True, False, None, " pad ", "l1\nl2", 1e21, 0.1, 10]
        )

    def value(self, depth: int = 2) -> Any:
        kind = self.random.random()
        if depth == 0 or kind < 0.55:
            return self.scalar()
        if kind < 0.75:
            return [self.value(depth - 1) for _ in range(self.random.randrange(4))]
        return {key: self.value(depth - 1) for key in self.random.sample(NAMES, self.random.randrange(1, 4))}

    def data(self) -> dict[str, Any]:
        data = {name: self.value() for name in NAMES if name != "missing" and self.random.random() < 0.8}
        data["items"] = [{"name": self.scalar(), "a": self.value(1)} for _ in range(self.random.randrange(4))]
        data["nested"] = {"a": self.scalar(), "name": "n", "list": [1, "two"]}
        return data

    # -- expressions

    def path(self) -> str:
        roll = self.random.random()
        name = self.random.choice(self.params if self.params and roll < 0.3 else NAMES)
        forms = [name] * 6 + [
            f"this.{name}",
            f"./{name}",
            f"../{name}",
            f"nested.{name}",
            f"nested/{name}",
            f"@root.{name}",
            "this",
            ".",
            "..",
            "list.[0]",
            "list.length",
            f"[{name}]",
            "@index",
            "@key",
            "@first",
            "@last",
            f"../../{name}",
            "@../index",
            "items.[1].name",
        ]
        return self.random.choice(forms)

    def operand(self, depth: int = 2) -> str:
        roll = self.random.random()
        if roll < 0.55 or depth == 0:
            return self.path()
        return self.random.choice(SCALARS) if roll < 0.75 else f"({self.call(depth - 1)})"

    def call(self, depth: int = 2) -> str:
        roll = self.random.random()
        if roll < 0.4:
            return f"{self.random.choice(TESTS)} {self.operand(depth)} {self.operand(depth)}"
        if roll < 0.55:
            joined = " ".join(self.operand(depth) for _ in range(self.random.randrange(1, 4)))
            return f"{self.random.choice(['and', 'or'])} {joined}"
        if roll < 0.65:
            return f"not {self.operand(depth)}"
        if roll < 0.75:
            return f"default {self.operand(depth)} {self.operand(depth)}"
        if roll < 0.85:
            return f"lookup {self.operand(depth)} {self.operand(depth)}"
        helper = self.random.choice(TEXT_HELPERS)
        tail = {"json": self.random.choice(["", " indent=2"]), "join": self.random.choice(["", ' "-"'])}.get(helper, "")
        return f"{helper} {self.operand(depth)}{tail}"

    # -- statements

    def open(self, inside: str) -> str:
        left, right = ("~" if self.random.random() < 0.12 else "" for _ in range(2))
        return "{{" + left + inside + right + "}}"

    def body(self, depth: int) -> str:
        return "".join(self.statement(depth) for _ in range(self.random.randrange(1, 5)))

    def statement(self, depth: int) -> str:
        roll = self.random.random()
        if roll < 0.35:
            return self.random.choice(TEXTS)
        if roll < 0.55 or depth == 0:
            return self.mustache()
        if roll < 0.62:
            return self.small()
        return self.random.choice(
            [self.condition, self.condition, self.loop, self.context, self.section, self.partial]
        )(depth)

    def mustache(self) -> str:
        inside = self.call() if self.random.random() < 0.35 else self.path()
        if self.random.random() < 0.2:
            return "{{{" + inside + "}}}."
        is_raw = self.random.random() < 0.1
        # handlebars.js adds up raw values that touch: a text after each keeps them apart.
        return self.open(("&" if is_raw else "") + inside) + ("." if is_raw or not self.escape else "")

    def small(self) -> str:
        return self.random.choice(
            [
                self.open("! note "),
                self.open("!-- note }} --"),
                "\\{{raw}}",
                "\\\\{{name}}.",
                "\n" + self.open("! alone ") + "\n",
                "{{{{with nested}}}} {{name}} {{{{/with}}}}",
                "{{'name'}}.",
                "{{[name]}}.",
                "{{1}}.",
            ]
        )

    def alternative(self, depth: int, chain: bool = True) -> str:
        roll = self.random.random()
        if roll < 0.5:
            return ""
        links = ""
        while chain and self.random.random() < 0.3:
            links += self.open(f"else if {self.operand()}") + self.body(depth - 1)
        return links + self.open(self.random.choice(["else", "^", " else "])) + self.body(depth - 1)

    def line(self) -> str:
        return "\n" if self.random.random() < 0.3 else ""

    def condition(self, depth: int) -> str:
        name = self.random.choice(["if", "if", "unless"])
        extra = " includeZero=true" if self.random.random() < 0.1 else ""
        inside = self.body(depth - 1)
        return (
            self.line()
            + self.open(f"#{name} {self.operand()}{extra}")
            + self.line()
            + inside
            + self.alternative(depth, name == "if")
            + self.line()
            + self.open(f"/{name}")
            + self.line()
        )

    def loop(self, depth: int) -> str:
        names = self.random.choice([[], [], ["item"], ["item", "i"]])
        head = f"#each {self.random.choice(['items', 'list', 'nested', self.path()])}" + (
            f" as |{' '.join(names)}|" if names else ""
        )
        return (
            self.line()
            + self.open(head)
            + self.inside(depth, names)
            + self.alternative(depth, False)
            + self.open("/each")
            + self.line()
        )

    def inside(self, depth: int, names: list[str]) -> str:
        self.params += names
        body = self.body(depth - 1)
        del self.params[len(self.params) - len(names) :]
        return body

    def context(self, depth: int) -> str:
        names = self.random.choice([[], [], ["it"]])
        head = f"#with {self.operand(1)}" + (" as |it|" if names else "")
        return self.open(head) + self.inside(depth, names) + self.alternative(depth, False) + self.open("/with")

    def section(self, depth: int) -> str:
        name = self.random.choice(NAMES)
        sigil = self.random.choice("##^")
        return (
            self.line()
            + self.open(sigil + name)
            + self.line()
            + self.body(depth - 1)
            + self.alternative(depth, False)
            + self.open("/" + name)
        )

    def partial(self, depth: int) -> str:
        name = self.random.choice(["row", "lines", "deep", *self.inlines])
        context = self.random.choice(["", "", " nested", " this", " items.[0]"])
        given = self.random.choice(["", "", f" k={self.operand(1)}", ' name="given"'])
        if self.random.random() < 0.2:
            return self.open(f"#> nothing{context}{given}") + self.body(depth - 1) + self.open("/nothing")
        return self.random.choice(["", "\n", "\n  "]) + self.open(f"> {name}{context}{given}") + self.line()

    def inline(self) -> str:
        name = self.random.choice(["inner", "row"])
        text = self.open(f'#*inline "{name}"') + self.body(2) + self.open("/inline")
        self.inlines.append(name)
        return text


def damaged(rng: random.Random, template: str) -> str:
    """The template with one character gone or doubled."""
    if not template:
        return template
    index = rng.randrange(len(template))
    return (
        template[:index] + template[index + 1 :]
        if rng.random() < 0.5
        else template[:index] + template[index] + template[index:]
    )
