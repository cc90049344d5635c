"""Vectors of a team's lore: which model makes them, where they are kept, and the job that makes what is missing."""
