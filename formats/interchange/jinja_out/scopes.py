"""What the variables of each template are called in the Jinja that is written here."""

from __future__ import annotations

from typing import Final

from formats.interchange.jinja_out.handlebars import ANY, BOOL, INT, MAP, PAIRS, STR, Scope, Value

_REQUEST: Final[Scope] = {
    "hasTools": Value("ns.has_tools", BOOL),
    "hasSkills": Value("ns.has_skills", BOOL),
    "hasSystem": Value("ns.has_system", BOOL),
    "hasMedia": Value("(ns.media > 0)", BOOL),
    "thinking": Value("ns.thinking", ANY),
    "date": Value("ns.date", STR),
}
_PLACE: Final[Scope] = {
    "first": Value("at_first", BOOL),
    "last": Value("at_last", BOOL),
    "index": Value("at_index", INT),
}
TURN: Final[Scope] = {
    **_REQUEST,
    "first": Value("turn_first", BOOL),
    "last": Value("turn_last", BOOL),
    "index": Value("turn_index", INT),
    "previous": Value("turn_before", STR),
    "next": Value("turn_after", STR),
    "afterLastUser": Value("turn_behind", BOOL),
    "answered": Value("turn_answered", BOOL),
    "given": Value("turn.given", BOOL),
    "generate": Value("ns.generate", BOOL),
    "content": Value("turn.content", STR),
    "role": Value("turn.role", STR),
    "name": Value("turn.name", STR),
    "tools": Value("ns.turn_tools", STR),
    "skills": Value("ns.turn_skills", STR),
    "toolCalls": Value("ns.calls_text", STR),
    "reasoning": Value("turn.reasoning", STR),
}
WRAP: Final[Scope] = {**_REQUEST, "content": Value("ns.text", STR)}
TOOLS_SECTION: Final[Scope] = {**_REQUEST, "tools": Value("ns.listed", STR)}
TOOLS_ITEM: Final[Scope] = {
    **_PLACE,
    "tool": Value("written", STR),
    "definition": Value("tool", ANY),
    "function": Value("function", ANY),
    "name": Value("function['name']", ANY),
    "description": Value("function['description']", ANY),
    "parameters": Value("function['parameters']", MAP),
}
CALLS_SECTION: Final[Scope] = {"toolCalls": Value("ns.listed", STR), "content": Value("turn.content", STR)}
CALLS_ITEM: Final[Scope] = {
    **_PLACE,
    "content": Value("turn.content", STR),
    "number": Value("number", INT),
    "id": Value("(call.id or '')", STR),
    "name": Value("function.name", STR),
    "arguments": Value("arguments", STR),
    "toolCall": Value("whole", STR),
    "args": Value("ns.args", PAIRS),
}
RESULTS_SECTION: Final[Scope] = {"toolResults": Value("ns.results", STR)}
RESULTS_ITEM: Final[Scope] = {
    "content": Value("ns.text", STR),
    "name": Value("name", STR),
    "toolCallId": Value("(message.tool_call_id or '')", STR),
    "callName": Value("ns.call_name", STR),
    "number": Value("ns.answers", INT),
    "first": Value("(ns.run == 0)", BOOL),
    "last": Value("ends_run", BOOL),
    "index": Value("ns.run", INT),
}
SKILLS_SECTION: Final[Scope] = {**_REQUEST, "skills": Value("ns.listed", STR)}
SKILLS_ITEM: Final[Scope] = {
    "name": Value("skill.name", STR),
    "description": Value("(skill.description or '')", STR),
}
