"""Checks scripts/check-structure: what it finds of names that several types have."""

import pathlib
import tempfile

from .names import problems, types


def test_names() -> None:
    """Checks what is found of nested names, with a module that is made for it."""
    source = (
        "public struct A {\n    enum Kind { case a }\n    private struct Own { struct Deep {} }\n"
        "    typealias Kind2 = B.Kind2\n    typealias Other = B.Kind2\n    static func f() { struct Local {} }\n}\n"
        "extension A.Kind {\n    struct Part {}\n}\nfileprivate extension A {\n    struct Hidden {}\n}\n"
        "class B { class func make() {}\n    class Kind2 {} }\n"
    )
    assert types(source) == ["A", "A.Kind", "A.Other", "A.Kind.Part", "B", "B.Kind2"], types(source)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "Sources/One").mkdir(parents=True)
        (root / "Sources/BrowserUIKit").mkdir(parents=True)
        (root / "Sources/One/A.swift").write_text(
            "struct A {\n    enum Kind {}\n    enum CodingKeys {}\n    private struct State {}\n}\n", encoding="utf-8"
        )
        (root / "Sources/One/B.swift").write_text("struct B {\n    enum CodingKeys {}\n}\n", encoding="utf-8")
        foreign = "class C {\n    enum Style {}\n}\nclass D {\n    enum Style {}\n}\n"
        (root / "Sources/BrowserUIKit/C.swift").write_text(foreign, encoding="utf-8")
        assert problems(root, ["Sources"], {}) == []
        (root / "Sources/One/C.swift").write_text(
            "extension B {\n    struct Kind {}\n    private struct State {}\n}\nstruct State {}\n", encoding="utf-8"
        )
        wrong = problems(root, ["Sources"], {})
        assert len(wrong) == 1 and wrong[0].startswith("One has A.Kind and B.Kind"), wrong
        assert problems(root, ["Sources"], {"One": "Kind"}) == []
        assert len(problems(root, ["Sources"], {"One": "Kind State"})) == 1, "an exception that is not needed"
