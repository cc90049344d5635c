"""Tables of the formats app. Formats and settings themselves are documents of the library."""

from __future__ import annotations

from django.db import models

NAME_CHARACTERS = 64


class UploadedTokenizer(models.Model):
    """A `tokenizer.json` that the operator brought: a further tokenizer profile of the whole server."""

    name = models.CharField(max_length=NAME_CHARACTERS, unique=True)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the file")
    packed = models.BinaryField(help_text="the file, packed with zlib")
    size = models.IntegerField(help_text="bytes of the file")
    vocabulary = models.IntegerField(help_text="number of tokens")
    uploaded_by = models.CharField(max_length=150, blank=True)
    uploaded_at = models.DateTimeField()

    class Meta:
        verbose_name = "tokenizer"
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name
