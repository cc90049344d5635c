"""What running a piece of a template costs, told from the template alone, so that a loop can be paid for in advance."""

from __future__ import annotations

from formats.handlebars.tree import Block, Call, Expression, Inline, Literal, Mustache, Partial, Program, Statement

KEYS_PER_STEP = 4


def weigh_program(program: Program) -> int:
    """Steps of one run of a program, at least one. Loops and partials inside pay for their own insides again."""
    return sum(map(weigh, program.body)) or 1


def weigh(statement: Statement) -> int:
    """Steps of one run of a statement; of a block's branches the dearer one."""
    if isinstance(statement, Block):
        branches = [program for program in (statement.program, statement.inverse) if program is not None]
        return 1 + weigh_expression(statement.call) + max(map(weigh_program, branches), default=0)
    if isinstance(statement, Mustache):
        return weigh_expression(statement.call)
    if isinstance(statement, Partial):
        operands = [*statement.operands, *statement.keywords.values(), statement.name]
        return 1 + sum(map(weigh_expression, operands))
    return 1 + (weigh_expression(statement.name) if isinstance(statement, Inline) else 0)


def weigh_expression(expression: Expression) -> int:
    """Steps of one evaluation: operands and keywords count, and so do the keys of a long path."""
    if isinstance(expression, Literal):
        return 1
    if isinstance(expression, Call):
        operands = [expression.callee, *expression.operands, *expression.keywords.values()]
        return sum(map(weigh_expression, operands))
    return 1 + (len(expression.parts) + expression.depth) // KEYS_PER_STEP
