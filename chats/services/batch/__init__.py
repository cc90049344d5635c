"""Many conversations in one request: read line by line, answered line by line, in bounded memory."""
