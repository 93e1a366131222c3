"""Originals in: one reader for each kind of file, and the manifest of what became of them."""
