"""A question's way to pages, passages and proposed claims."""
