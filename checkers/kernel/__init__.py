"""Certificates that need no solver, re-checked by small code of our own."""
