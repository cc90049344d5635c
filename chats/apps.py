"""The chats app: the pipeline and the one render function."""

from __future__ import annotations

from dataclasses import replace

from django.apps import AppConfig


class ChatsConfig(AppConfig):
    """Conversations, the pipeline, and rendering."""

    name = "chats"

    def ready(self) -> None:
        """Register the stored kinds, and let the library, a floor below, read files, compare prompts and keep rows."""
        from chats import backup, kinds
        from chats.services import comparing
        from chats.services.embedding import job, wanted
        from chats.stored.reading import read_file, split
        from neotavern.jobs import kinds as jobs
        from neotavern.library import file_readers

        kinds.register_all()
        file_readers.register(read_file)
        file_readers.register_splitter(split)
        comparing.register()
        backup.register_all()
        jobs.register(replace(job.KIND, find_undone=wanted.ask_for_all))
