"""What a claim, a certificate, a verdict and a receipt are, and the one road from a claim to its verdict."""

__version__ = "0.1.0"
