"""What the measurements need beside themselves: servers to compare with, and the load."""
