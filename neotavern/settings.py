"""Settings of the prompt server. All of them are read from the environment; docs/settings.md explains each."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _

from neotavern.ground import embeddings_env, mail_url
from neotavern.ground.env import Environment, SettingsError

BASE_DIR = Path(__file__).resolve().parent.parent
ENV = Environment(os.environ)

DATA_DIR = Path(ENV.text("NEOTAVERN_DATA", str(BASE_DIR / "data"))).expanduser().resolve()
try:
    DATA_DIR.mkdir(parents=True, exist_ok=True)
except OSError as error:
    raise SettingsError("NEOTAVERN_DATA", f"{DATA_DIR} can not be made: {error.strerror}") from error


def _secret_key(path: Path) -> str:
    """Return the key kept in `path`, made on the first start; only the owner may read it."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text("ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(50))
    return path.read_text("ascii").strip()


DEBUG = ENV.flag("NEOTAVERN_DEBUG")
SECRET_KEY = _secret_key(DATA_DIR / "secret-key")
ALLOWED_HOSTS = ENV.hosts("NEOTAVERN_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = [
    f"https://{host}" for host in ALLOWED_HOSTS if host not in {"*", "localhost", "127.0.0.1", "[::1]"}
]
PORT = ENV.integer("PORT", 8000, least=1, most=65535)
WORKERS = ENV.integer("NEOTAVERN_WORKERS", max(1, min(4, os.cpu_count() or 1)), least=1, most=64)
RATE_LIMIT = ENV.integer("NEOTAVERN_RATE_LIMIT", 6000, least=0, most=10_000_000)
FIRST_API_KEY = ENV.api_key("NEOTAVERN_API_KEY")
FIRST_PASSWORD = ENV.text("NEOTAVERN_ADMIN_PASSWORD")
TRUSTED_PROXIES = ENV.integer("NEOTAVERN_PROXIES", 0, least=0, most=10)
EMBEDDINGS = embeddings_env.Embeddings(
    is_on=ENV.flag("NEOTAVERN_EMBEDDINGS", default=True),
    url=embeddings_env.endpoint(
        ENV.text("NEOTAVERN_EMBEDDINGS_URL"),
        ENV.text("NEOTAVERN_EMBEDDINGS_MODEL"),
        ENV.hosts("NEOTAVERN_EMBEDDINGS_HOSTS", "localhost,127.0.0.1,[::1]"),
    ),
    model=ENV.text("NEOTAVERN_EMBEDDINGS_MODEL"),
    key=ENV.text("NEOTAVERN_EMBEDDINGS_KEY"),
    timeout=ENV.integer("NEOTAVERN_EMBEDDINGS_TIMEOUT", 10, least=1, most=120),
    floor=ENV.integer("NEOTAVERN_EMBEDDINGS_FLOOR", 31, least=0, most=99) / 100,
)
MAIL = mail_url.parse("EMAIL_URL", ENV.text("EMAIL_URL"))

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "ninja",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "neotavern.accounts.sessions.SessionsConfig",
    "neotavern.accounts",
    "django_tasks",
    "django_tasks_db",
    "neotavern.jobs",
    "neotavern.library",
    "formats",
    "chats",
    "neotavern.management.app.RoofConfig",
]

MIDDLEWARE = [
    "neotavern.middleware.request_log.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "neotavern.middleware.body_limit.BodyLimit",
    "neotavern.middleware.rate_limit.RateLimit",
    "neotavern.middleware.method_errors.MethodErrors",
    "neotavern.middleware.key_requests.KeyRequests",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "csp.middleware.CSPMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "neotavern.accounts.middleware.SessionsSeen",
    "neotavern.middleware.page_errors.PageErrors",
]

ROOT_URLCONF = "neotavern.urls"
WSGI_APPLICATION = "neotavern.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    }
]


def _database(url: str) -> dict[str, Any]:
    """Return the database settings for `url`, persistent connections and durable SQLite included."""
    try:
        config: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=None, conn_health_checks=False))
    except (ValueError, KeyError) as error:
        raise SettingsError("DATABASE_URL", str(error)) from error
    if config["ENGINE"] == "django.db.backends.sqlite3":
        # IMMEDIATE takes the write lock when a transaction begins, so two writers queue instead of failing half-way;
        # reads stay outside transactions (ATOMIC_REQUESTS is off), where WAL lets them run beside a writer.
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=134217728;",
        }
    else:
        config["CONN_HEALTH_CHECKS"] = True
    return config


DATABASES = {
    "default": _database(
        ENV.url(
            "DATABASE_URL",
            f"sqlite:///{DATA_DIR / 'neotavern.sqlite3'}",
            schemes=("sqlite", "postgres", "postgresql"),
        )
    )
}


def _cache(url: str) -> dict[str, Any]:
    """Return the cache settings: in this process, or Redis shared by all of them."""
    if url.startswith("locmem:"):
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "neotavern"}
    return {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url, "KEY_PREFIX": "neotavern"}


CACHES = {"default": _cache(ENV.url("CACHE_URL", "locmem://", schemes=("locmem", "redis", "rediss")))}

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default", "embed"]}}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SESSION_ENGINE = "neotavern.accounts.session_store"  # no cookie's value stands in the database
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "neotavern.pages.csrf_failure"

# django-allauth: by user name, no signing up; only the addresses that neotavern.accounts.web.urls names are there.
ACCOUNT_ADAPTER = "neotavern.accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "20/m/ip,5/300s/key"}
MFA_ADAPTER = "neotavern.accounts.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_TOLERANCE = 1  # clocks of telephones are some seconds off
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an e-mail address is optional here

MAIL_CONFIGURED = MAIL is not None
if MAIL is not None:
    EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.starttls, MAIL.tls
    EMAIL_TIMEOUT = 15
    DEFAULT_FROM_EMAIL = MAIL.sender

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish")), ("fr", _("French"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "language"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = True
WHITENOISE_KEEP_ONLY_HASHED_FILES = False

DATA_UPLOAD_MAX_MEMORY_SIZE = None  # neotavern.middleware.body_limit knows the limit of each path
FILE_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "neotavern.middleware.log_format.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        "django.request": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
        "django.security": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
        "neotavern": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}
SILENCED_SYSTEM_CHECKS: list[str] = []
