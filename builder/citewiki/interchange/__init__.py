"""Pages in the forms of other programs, out and in."""
