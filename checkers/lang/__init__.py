"""The Python subset: contracts, the typed intermediate form, the reference interpreter and the canonical form."""
