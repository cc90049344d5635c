"""Numbers as the language of the page writes them."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def grouped(value: int) -> str:
    """Return a number with its thousands apart."""
    return str(number_format(value, force_grouping=True))
