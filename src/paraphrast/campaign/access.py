"""Secrets of owners and raters: random, stored as hashes, never logged.

A secret has 256 random bits, so a plain SHA-256 cannot be searched, and a database that leaks opens nothing. A link
holds the secret; the first visit turns it into a cookie, and the addresses after that hold none.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets

#: Where links lead: the secret follows.
LINK = "/campaigns/open/"
#: Longest code that is looked up.
LONGEST = 200
_IN_PATH = re.compile(re.escape(LINK) + r"[^\s?\"]*(?:\?\S*)?")


def new_secret() -> str:
    """A secret that cannot be guessed."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """What the database stores."""
    return hashlib.sha256(secret.encode("utf-8", errors="surrogatepass")).hexdigest()


def matches(secret: str | None, stored: str) -> bool:
    """Whether a secret is the one whose hash is stored. Takes the same time wherever they differ."""
    return secret is not None and len(secret) <= LONGEST and hmac.compare_digest(hash_of(secret), stored)


def link_of(address: str, secret: str) -> str:
    """The link to send to a person."""
    return address.rstrip("/") + LINK + secret


def code_of(text: str) -> str:
    """The secret in what a person pasted: a link or the code alone."""
    return text.strip().rsplit("/", 1)[-1].strip()


class HideSecrets(logging.Filter):
    """Removes secrets of links from log records."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change a record; keep it."""
        if isinstance(record.args, tuple):
            record.args = tuple(hidden(value) if isinstance(value, str) else value for value in record.args)
        if isinstance(record.msg, str):
            record.msg = hidden(record.msg)
        return True


def hidden(text: str) -> str:
    """A text without the secrets of links."""
    return _IN_PATH.sub(LINK + "…", text) if LINK in text else text


def hide_secrets_in_logs() -> None:
    """Add the filter to the loggers of the web server."""
    for name in ("uvicorn.access", "uvicorn.error"):
        logger = logging.getLogger(name)
        if not any(isinstance(entry, HideSecrets) for entry in logger.filters):
            logger.addFilter(HideSecrets())
