"""Template tags of the library's pages."""
