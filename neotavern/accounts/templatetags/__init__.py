"""Template tags of people and pages."""
