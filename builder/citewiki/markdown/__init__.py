"""Pure functions over Markdown: front matter, headings, wikilinks, footnotes, sentences."""
