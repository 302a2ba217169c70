"""Proposes inputs that break a claim."""
