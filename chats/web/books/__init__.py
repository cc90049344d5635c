"""The pages of a lorebook: its entries as a list, one entry in fields, and its keys tried on a text."""
