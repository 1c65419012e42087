"""The reports: Markdown, and the plots that they show."""

import json
import os

from . import capacity_page, sections, servers


def write(folder, is_published):
    """Writes the reports of the results in a folder, and returns where they are."""
    with open(os.path.join(folder, "results.json")) as file:
        results = json.load(file)
    target = os.path.join(servers.ROOT, "docs") if is_published else folder
    pictures = os.path.join(target, "images", "benchmarks")
    os.makedirs(pictures, exist_ok=True)

    def picture(name, text, alternative):
        with open(os.path.join(pictures, f"{name}.svg"), "w") as file:
            file.write(text)
        return f"![{alternative}](images/benchmarks/{name}.svg)\n"

    text = "\n".join(part for part in sections.all_of(results, picture) if part is not None)
    paths = []
    for name, content in (("benchmarks.md", text), ("capacity.md", capacity_page.page(results))):
        if content is None:
            continue
        paths.append(os.path.join(target, name))
        with open(paths[-1], "w") as file:
            file.write(content.strip() + "\n")
    return paths
