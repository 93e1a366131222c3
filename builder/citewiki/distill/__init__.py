"""Sources become pages: drafts, their domain, their links to one another."""
