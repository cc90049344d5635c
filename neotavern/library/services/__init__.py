"""All writes of stored objects; nothing else in the project changes the library's tables."""

from __future__ import annotations

from neotavern.library.services.copies import clone, restore
from neotavern.library.services.importing import Outcome, Upload, import_documents
from neotavern.library.services.labels import LabelMove, delete_label, move_label
from neotavern.library.services.lifecycle import archive, delete, unarchive
from neotavern.library.services.saving import NO_BASE, Base, Saved, create, save

__all__ = [
    "NO_BASE",
    "Base",
    "LabelMove",
    "Outcome",
    "Saved",
    "Upload",
    "archive",
    "clone",
    "create",
    "delete",
    "delete_label",
    "import_documents",
    "move_label",
    "restore",
    "save",
    "unarchive",
]
