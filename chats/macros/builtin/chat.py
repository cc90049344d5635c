"""The last messages. They are inserted as they are: a macro inside them stays as typed here."""

from __future__ import annotations

from chats.macros.call import Call, Macro, Run


def _last(*roles: str) -> Run:
    def run(call: Call) -> str:
        lines = reversed(call.scope.messages)
        return next((line.text for line in lines if line.role in roles), "")

    return run


def _last_id(call: Call) -> str:
    return str(len(call.scope.messages) - 1) if call.scope.messages else ""


def _range(call: Call) -> str:
    return f"0-{len(call.scope.messages) - 1}" if call.scope.messages else ""


MACROS = {
    "lastmessage": Macro(_last("user", "assistant", "system", "tool"), steady=True),
    "lastusermessage": Macro(_last("user"), steady=True),
    "lastcharmessage": Macro(_last("assistant"), steady=True),
    "lastmessageid": Macro(_last_id, steady=True),
    "allchatrange": Macro(_range, steady=True),
}
