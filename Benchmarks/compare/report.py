"""The report: Markdown, and the plots that it shows."""

import json
import os

from . import sections, servers


def write(folder, is_published):
    """Writes the report of the results in a folder, and returns where it is."""
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
    path = os.path.join(target, "benchmarks.md")
    with open(path, "w") as file:
        file.write(text.strip() + "\n")
    return path
