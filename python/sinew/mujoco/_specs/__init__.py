"""`MjSpec` and the structs of its elements."""
