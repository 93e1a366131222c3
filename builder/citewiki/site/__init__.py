"""Pages as a site: pure transforms of text and graph, and what MkDocs calls."""
