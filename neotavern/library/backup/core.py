"""The parts of an archive that this floor has; floors above add theirs after these."""

from __future__ import annotations

from neotavern.library.backup import dump, load
from neotavern.library.backup.parts import Part, register
from neotavern.library.backup.rows import AuditRow, BatchRow, ItemRow, MemberRow, RevisionRow


def register_all() -> None:
    """Register them, in the order in which they are read back."""
    register(Part("members", MemberRow, dump.members, load.members))
    register(Part("batches", BatchRow, dump.batches, load.batches))
    register(Part("items", ItemRow, dump.items, load.items))
    register(Part("revisions", RevisionRow, dump.revisions, load.revisions))
    register(Part("audit", AuditRow, dump.audit, load.audit))
