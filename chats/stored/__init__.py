"""One file for each stored kind of this floor: how its documents are read, found, joined with rows and exported."""
