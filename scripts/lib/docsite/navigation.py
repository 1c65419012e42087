"""What is in the site, by who reads it.

A page is a Markdown file of the repository, or one of the references that are generated: `rest/`, `commands`, `sdk/`.
"""

from dataclasses import dataclass, field

from . import languages


@dataclass(frozen=True)
class Entry:
    """A page in the navigation: the Markdown that it is made of, or the address of one that is generated."""

    source: str
    label: str


@dataclass(frozen=True)
class Group:
    label: str
    entries: list[Entry]


@dataclass(frozen=True)
class Section:
    """The pages for one kind of reader."""

    id: str
    label: str
    about: str
    groups: list[Group] = field(default_factory=list)

    @property
    def entries(self):
        return [entry for group in self.groups for entry in group.entries]


SECTIONS = [
    Section(
        "start",
        "Start",
        "What it is, and how to try it.",
        [
            Group(
                "Start",
                [
                    Entry("docs/README.md", "Documentation"),
                    Entry("README.md", "About Placard"),
                    Entry("Examples/Shop/README.md", "The Shop, an example"),
                ],
            ),
        ],
    ),
    Section(
        "apps",
        "App developers",
        "Show cards in an app, and move from the documented names.",
        [
            Group(
                "Guides",
                [
                    Entry("docs/quick-start.md", "Quick start"),
                    Entry("tutorials/index.html", "Tutorials"),
                    Entry("docs/app-guide.md", "Cards in your app"),
                    Entry("docs/questions.md", "Questions"),
                ],
            ),
            Group(
                "Move an app",
                [
                    Entry("docs/documented-names.md", "The documented names"),
                    Entry("docs/uikit-subset.md", "BrowserUIKit beside UIKit"),
                ],
            ),
            Group("Reference", [Entry("sdk/index.html", "SDK reference"), Entry("docs/device-api.md", "Device API")]),
        ],
    ),
    Section(
        "marketers",
        "Marketers",
        "Create, target, test, launch and compare campaigns.",
        [
            Group(
                "Guides",
                [
                    Entry("docs/first-campaign.md", "Your first campaign"),
                    Entry("docs/use-cases.md", "Three use cases"),
                ],
            ),
            Group(
                "In depth",
                [
                    Entry("docs/audiences.md", "Audiences"),
                    Entry("docs/delivery.md", "Delivery"),
                    Entry("docs/users-by-file.md", "Import users from a file"),
                    Entry("docs/experiments.md", "Experiments"),
                    Entry("docs/approvals.md", "Approvals"),
                    Entry("docs/media.md", "Pictures"),
                    Entry("docs/ten-jobs.md", "Ten jobs, counted"),
                    Entry("docs/agents.md", "Agents"),
                ],
            ),
        ],
    ),
    Section(
        "backends",
        "Backends",
        "Track users, trigger cards and receive events from a server.",
        [
            Group(
                "Guides",
                [
                    Entry("docs/rest-api.md", "REST API"),
                    Entry("docs/clients.md", "Generated clients"),
                    Entry("docs/keys.md", "API keys"),
                    Entry("docs/errors.md", "Errors"),
                    Entry("docs/limits.md", "Limits"),
                ],
            ),
            Group("Reference", [Entry("rest/index.html", "REST reference"), Entry("docs/routes.md", "Routes")]),
        ],
    ),
    Section(
        "operators",
        "Operators",
        "Run the server, alone or as many nodes.",
        [
            Group(
                "Guides",
                [
                    Entry("docs/going-live.md", "Before you go live"),
                    Entry("docs/first-hour.md", "The operator's first hour"),
                    Entry("docs/operations.md", "Operation"),
                    Entry("docs/sign-in.md", "Sign-in with OpenID Connect"),
                    Entry("docs/containers.md", "Containers"),
                    Entry("docs/upgrading.md", "Updates by version"),
                    Entry("docs/gitops.md", "Workspaces as files"),
                    Entry("docs/importing.md", "Move from Braze"),
                    Entry("docs/postgresql.md", "PostgreSQL"),
                    Entry("docs/scale.md", "Scale"),
                    Entry("docs/benchmarks.md", "Benchmarks"),
                    Entry("docs/capacity.md", "Capacity"),
                ],
            ),
            Group(
                "Safety",
                [
                    Entry("docs/security.md", "Security"),
                    Entry("docs/data-protection.md", "Data protection"),
                    Entry("SECURITY.md", "Report a vulnerability"),
                ],
            ),
            Group("Reference", [Entry("commands.html", "The placard command")]),
        ],
    ),
    Section(
        "inside",
        "How it works",
        "The architecture, and why it is as it is.",
        [
            Group(
                "How it works",
                [
                    Entry("docs/architecture.md", "Architecture"),
                    Entry("docs/fuzzing.md", "Fuzzing"),
                    Entry("docs/japanese.md", "Japanese terms"),
                    Entry("Fuzz/README.md", "Fuzz targets"),
                    Entry("docs/decisions/README.md", "Decisions"),
                ],
            ),
            Group("Project", [Entry("CHANGELOG.md", "Changelog"), Entry("CONTRIBUTING.md", "Contributing")]),
        ],
    ),
]

# Where a file of the repository is in the site, where that isn't its path below docs/.
ADDRESSES = {
    "docs/README.md": "index.html",
    "README.md": "about.html",
    "SECURITY.md": "report-a-vulnerability.html",
    "docs/decisions/README.md": "decisions/index.html",
    "Examples/Shop/README.md": "shop.html",
    "Fuzz/README.md": "fuzz-targets.html",
}


def address(source):
    """Where a Markdown file is in the site; a translation, in a folder of its language."""
    original, language = languages.original_of(source)
    if language != "en":
        return f"{language}/{address(original)}"
    if source in ADDRESSES:
        return ADDRESSES[source]
    return source.removeprefix("docs/").removesuffix(".md").lower() + ".html"


def sources(root):
    """The Markdown files of the site: those of the navigation, every decision, and the translations of both."""
    named = [entry.source for section in SECTIONS for entry in section.entries if entry.source.endswith(".md")]
    decisions = sorted(path.relative_to(root).as_posix() for path in (root / "docs/decisions").glob("0*.md"))
    return named + decisions + languages.sources(root)
