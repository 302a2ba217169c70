"""What remembers: certificate stores."""
