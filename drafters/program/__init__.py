"""Proposes invariants and ranks for loops."""
