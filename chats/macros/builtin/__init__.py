"""The built-in macros, one file a theme. Each has `MACROS`: names in lower case to what they do."""
