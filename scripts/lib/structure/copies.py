"""Functions of Python that stand in two files."""

import ast
import pathlib


def fingerprint(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Returns what a function takes and does, without its name and its documentation."""
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1:
        body = body[1:]
    return "\n".join(ast.dump(part) for part in [function.args, *body])


def copies(root: pathlib.Path, names: list[str]) -> list[str]:
    """Returns which functions at the top level of two files are the same, as sentences."""
    places: dict[str, list[str]] = {}
    for name in names:
        try:
            text = (root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if not (name.endswith(".py") or text.startswith("#!") and "python" in text.split("\n", 1)[0]):
            continue
        for part in ast.parse(text).body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                places.setdefault(fingerprint(part), []).append(f"{part.name} of {name}")
    return [
        f"{' and '.join(same)} do the same: declare one in a module of scripts/lib."
        for same in places.values()
        if len(same) > 1
    ]
