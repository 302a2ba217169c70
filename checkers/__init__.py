"""What decides: deterministic checks, the reference interpreter, the goal generator and the solvers behind it."""
