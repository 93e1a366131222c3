"""Pure functions over strings: folding, terms, sentences, slugs, key phrases, language."""
