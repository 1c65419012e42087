"""The languages of the site, and where the translation of a file stands."""

LANGUAGES = {"ja": "日本語"}
"""The languages beside English, as each calls itself."""
NAMES = {"en": "English", **LANGUAGES}


def path_of(original, language):
    """Where the translation of a file stands."""
    if original.startswith("docs/"):
        return f"docs/{language}/{original.removeprefix('docs/')}"
    return f"{original.removesuffix('.md')}.{language}.md"


def original_of(source):
    """The file that another one translates, and into which language; the file itself and English where it is no
    translation."""
    for language in LANGUAGES:
        if source.startswith(f"docs/{language}/"):
            return f"docs/{source.removeprefix(f'docs/{language}/')}", language
        if source.endswith(f".{language}.md"):
            return source.removesuffix(f".{language}.md") + ".md", language
    return source, "en"


def sources(root):
    """The translations that there are."""
    found = []
    for language in LANGUAGES:
        found += [*root.glob(f"docs/{language}/*.md"), *root.glob(f"*.{language}.md")]
    return sorted(path.relative_to(root).as_posix() for path in found)
