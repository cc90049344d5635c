"""Background work of a team: kinds of jobs, how far each is, and the worker that does them."""
