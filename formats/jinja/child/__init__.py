"""What runs inside the worker process: the two engines. Nothing here is imported by the process that serves."""
