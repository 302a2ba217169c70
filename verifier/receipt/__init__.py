"""Receipts: the portable record of a verdict, and how it is derived again offline."""
