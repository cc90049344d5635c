"""The vector engine: lore and older messages by what they mean, whatever words they use. numpy is loaded on use."""
