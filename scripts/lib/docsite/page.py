"""A page of the site, before it gets its frame."""

from dataclasses import dataclass, field


@dataclass
class Heading:
    level: int
    anchor: str
    title: str
    text: str = ""
    """What stands below the heading, as words for the search."""


@dataclass
class Page:
    address: str
    title: str
    body: str
    headings: list[Heading] = field(default_factory=list)
    """The headings in order; the first is that of the page, with an empty anchor."""
    source: str = ""
    """The file of the repository that it was made of."""
    kind: str = "Guide"
    """What the search calls it."""
    weight: float = 1.0
    """How much more than others the search puts it forward."""
    language: str = "en"
    original: str = ""
    """The address of the page that it translates."""
    label: str = ""
    """Its name in the navigation, where that is not its title."""
    parent: str = ""
    """The address of the page that lists it, where the navigation has no entry of its own."""
    indexed_depth: int = 3
    """The deepest level of headings that the search knows."""
