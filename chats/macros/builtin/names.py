"""Who speaks: the user, the character, the cast."""

from __future__ import annotations

from chats.macros.call import Call, Macro


def _group(call: Call) -> str:
    return ", ".join(call.scope.group) or call.scope.char_name


def _not_char(call: Call) -> str:
    """Everybody but the character who speaks."""
    others = [name for name in call.scope.group if name != call.scope.char_name]
    return ", ".join([*others, call.scope.user_name])


MACROS = {
    "user": Macro(lambda call: call.scope.user_name, steady=True),
    "char": Macro(lambda call: call.scope.char_name, steady=True),
    "group": Macro(_group, steady=True),
    "groupnotmuted": Macro(_group, steady=True),
    "charifnotgroup": Macro(_group, steady=True),
    "notchar": Macro(_not_char, steady=True),
}
