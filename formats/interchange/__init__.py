"""PURE: other programs' formats, one file each, in and out, with what each loses."""
