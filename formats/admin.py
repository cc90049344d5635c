"""Uploaded tokenizers in the administration: superusers bring a `tokenizer.json`, and every team can count with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from formats.models import NAME_CHARACTERS, UploadedTokenizer
from formats.services.tokenizers import add_tokenizer
from neotavern.accounts.admin import administration
from neotavern.ground.errors import AppError

if TYPE_CHECKING:
    TokenizerAdminBase = admin.ModelAdmin[UploadedTokenizer]
else:
    TokenizerAdminBase = admin.ModelAdmin  # generic for the type checker only


class UploadForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for the type checker only
    """A name and a file; what is wrong with them is said at the field."""

    name = forms.CharField(max_length=NAME_CHARACTERS, help_text=_("What requests say as `tokenizer`."))
    file = forms.FileField(label="tokenizer.json")

    class Meta:
        model = UploadedTokenizer
        fields = ("name",)

    def clean(self) -> dict[str, Any]:
        """Read the file as a tokenizer and store it: only that tells whether it is one."""
        cleaned = super().clean() or {}
        if "name" in cleaned and "file" in cleaned:
            try:
                self.instance = add_tokenizer(
                    name=cleaned["name"], raw=cleaned["file"].read(), by=self.by, now=timezone.now()
                )
            except AppError as error:
                self.add_error(error.details[0].path if error.details else None, error.message)
        return cleaned

    by = ""


class TokenizerAdmin(TokenizerAdminBase):
    """Brought and removed here; a file is replaced by bringing another under its name."""

    list_display = ("name", "vocabulary", "size", "uploaded_by", "uploaded_at")
    search_fields = ("name",)
    fields = ("name", "file")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the form for a new one, with who brings it."""
        return type("TokenizerUploadForm", (UploadForm,), {"by": request.user.get_username()})

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Do nothing: reading the form has stored the file."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: bring the file again under the same name."""
        return False


administration.register(UploadedTokenizer, TokenizerAdmin)
