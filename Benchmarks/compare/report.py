"""The reports: Markdown, and the plots that they show."""

import json
import os

from . import capacity_page, sections, servers


def write(folder, is_published, stages):
    """Writes the reports of the results in a folder, and returns where they are.

    Published are those alone that have what the stages measured: the others say when they were taken.
    """
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
    for name, content, is_new in (
        ("benchmarks.md", text, any(stage != "capacity" for stage in stages)),
        ("capacity.md", capacity_page.page(results), "capacity" in stages),
    ):
        if content is None or (is_published and not is_new):
            continue
        paths.append(os.path.join(target, name))
        with open(paths[-1], "w") as file:
            file.write(content.strip() + "\n")
    return paths
