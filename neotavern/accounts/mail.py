"""Mail, when a server for it is configured (EMAIL_URL). Everything works without."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail

logger = logging.getLogger("neotavern.mail")


def is_configured() -> bool:
    """Return whether mail can be sent."""
    return bool(settings.MAIL_CONFIGURED)


def send(address: str, subject: str, text: str) -> bool:
    """Send `text` and return whether the server took it; a failure is logged without the text."""
    if not is_configured():
        return False
    try:
        send_mail(subject, text, None, [address])
    except (SMTPException, OSError) as error:
        logger.warning("mail was not sent", extra={"fields": {"error": str(error)}})
        return False
    return True
