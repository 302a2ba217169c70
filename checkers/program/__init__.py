"""Claims about Python functions: goals, Houdini, and the kinds `contract` and `safety`."""
