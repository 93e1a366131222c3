"""Whether a page says what a claim says."""
