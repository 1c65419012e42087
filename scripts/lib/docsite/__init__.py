"""The documentation site: pages from Markdown, the OpenAPI document, the command's help and DocC, with a search of its
own."""
