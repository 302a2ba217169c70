"""What proposes: invariants, ranks and counterexamples. Nothing here can write a verdict."""
