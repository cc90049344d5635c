"""The second factor: django-allauth's pages for codes of an app and recovery codes, in our frame."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from allauth.account.views import ReauthenticateView
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.base.views import ReauthenticateView as CodeAgainView
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView, ViewRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from neotavern.accounts.web_access import account_page

framed: list[Callable[..., Any]] = [never_cache, account_page]


def to_account(request: HttpRequest) -> HttpResponseBase:
    """Go to the page that shows whether the second factor is on."""
    return redirect("account")


class CodePage(AuthenticateView):  # type: ignore[misc]  # allauth has no types
    """After the password: the code of the app, or a recovery code."""

    template_name = "accounts/factor_code.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request; a form without a code would be taken for a passkey, which we do not offer."""
        if request.method == "POST" and "code" not in request.POST:
            return redirect("mfa_authenticate")
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response


@method_decorator(framed, name="dispatch")
class PasswordAgainPage(ReauthenticateView):  # type: ignore[misc]
    """Asks for the password again before something that matters."""

    template_name = "accounts/confirm.html"


@method_decorator(framed, name="dispatch")
class CodeAgainPage(CodeAgainView):  # type: ignore[misc]
    """Asks for a code again before something that matters."""

    template_name = "accounts/confirm_code.html"


@method_decorator(framed, name="dispatch")
class FactorOnPage(ActivateTOTPView):  # type: ignore[misc]
    """Shows the secret as a picture and as text, and takes the first code."""

    template_name = "accounts/factor_on.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the secret in groups of four, for typing it in."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        context["secret"] = " ".join(re.findall(".{1,4}", context["form"].secret))
        return context


@method_decorator(framed, name="dispatch")
class FactorOffPage(DeactivateTOTPView):  # type: ignore[misc]
    """Asks once more, then switches the second factor off."""

    template_name = "accounts/factor_off.html"


@method_decorator(framed, name="dispatch")
class CodesPage(ViewRecoveryCodesView):  # type: ignore[misc]
    """Shows the recovery codes that are left."""

    template_name = "accounts/codes.html"


@method_decorator(framed, name="dispatch")
class NewCodesPage(GenerateRecoveryCodesView):  # type: ignore[misc]
    """Asks once more, then replaces the recovery codes."""

    template_name = "accounts/codes_new.html"
