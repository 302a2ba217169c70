"""Claims about SMT-LIB formulas: the kind `formula`."""
