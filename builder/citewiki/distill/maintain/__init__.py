"""Passes over the whole wiki: pages that need work, concepts without one, and a new order."""
