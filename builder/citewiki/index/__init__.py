"""What finds pages: their words in tantivy, their links in a table, kept up to date by itself."""
