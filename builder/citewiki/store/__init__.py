"""Pages on disk: read, written whole or not at all, named, listed, kept apart by viewer."""
