"""PURE: other programs' files of characters, books and chats, one file each, in and out, with what each loses."""
