"""SMT-LIB: terms, printing, encoding, and the warm pool of solver processes."""
