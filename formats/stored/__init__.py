"""One file for each stored kind: how its documents are read, checked, found and exported."""
