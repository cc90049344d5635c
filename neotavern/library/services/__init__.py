"""All writes of stored objects; nothing else in the project changes the library's tables."""

from __future__ import annotations

from neotavern.library.services.bulk import BulkOutcome, act_on_many
from neotavern.library.services.copies import clone, restore
from neotavern.library.services.importing import Outcome, Upload, import_documents
from neotavern.library.services.labels import LabelMove, delete_label, move_label
from neotavern.library.services.lifecycle import archive, delete, unarchive
from neotavern.library.services.saving import NO_BASE, Base, Saved, create, save
from neotavern.library.services.tagging import add_tag, remove_tag
from neotavern.library.services.undo import undo_import

__all__ = [
    "NO_BASE",
    "Base",
    "BulkOutcome",
    "LabelMove",
    "Outcome",
    "Saved",
    "Upload",
    "act_on_many",
    "add_tag",
    "archive",
    "clone",
    "create",
    "delete",
    "delete_label",
    "import_documents",
    "move_label",
    "remove_tag",
    "restore",
    "save",
    "unarchive",
    "undo_import",
]
