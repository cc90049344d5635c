"""A team as one archive: everything it has but secrets, and back again, byte for byte. See docs/operations.md."""
