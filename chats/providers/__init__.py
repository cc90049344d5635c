"""What a provider is given: mode, stops, messages and request bodies, all of them functions of the rendered result."""
