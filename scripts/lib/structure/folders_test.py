"""Checks scripts/check-structure: what it finds of folders and types."""

import pathlib
import tempfile

from swift_source import strip

from .folders import IDENTIFIER, circles, declarations, inner_folders, modules, problems


def test_folders() -> None:
    """Checks what is found of folders and types, with modules that are made for it."""
    stripped = strip(
        'let a = "B \\(C.d(e: "F")) G" // H\n/* I /* J */ K\n*/ let l = #"M \\(N) \\#(O)"#\n"""\nP "Q"\n"""; R'
    )
    assert set(IDENTIFIER.findall(stripped)) == {"C", "O", "R"}, stripped
    assert stripped.count("\n") == 5, stripped
    assert strip('"""\na\\\nb\n"""; C').count("\n") == 3, "a line that goes on in the next one"
    kept = strip('a("b\\"<", "c\\(d)e", #"f"#) // "g"', keeps_literals=True)
    assert '"b\\"<"' in kept and "d" in kept and not set("cefg") & set(kept), kept
    source = (
        "public final class A {\n    struct Inner {}\n}\n@MainActor enum B {}\nprivate struct C {}\n@available(iOS 15,"
        " *)\nactor D {}\n"
    )
    assert declarations(source) == [("A", True), ("B", True), ("C", False), ("D", True)], declarations(source)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)

        def write(path: str, text: str) -> None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")

        def found(
            cycles: dict[str, list[set[str]]] = {},
            duplicates: set[str] = set(),
            alternatives: list[set[str]] = [],
        ) -> list[str]:
            return problems(modules(root, ["Sources"]), cycles, duplicates, alternatives)

        write("Sources/One/Low/A.swift", "struct A {}\nprivate struct Own {}\n")
        write("Sources/One/High/B.swift", "struct B { var a: A }\nprivate struct Own {}\n")
        write("Sources/One/Top.swift", "struct Top { var b: B }\n")
        write("Sources/Two/Other.swift", '// B\nstruct Other { let text = "B"; let member = Other.A }\n')
        write("Sources/Two/Alias.swift", "public typealias A = One.A\n")
        assert found() == [], found()
        write("Sources/One/Low/C.swift", "extension A { var b: B? { nil } }\n")
        wrong = found()
        assert len(wrong) == 1 and "High, Low depend on each other" in wrong[0], wrong
        assert "Low/C.swift names B" in wrong[0], wrong
        assert found({"One": [{"High", "Low"}]}) == []
        assert len(found({"One": [{"High", "Low", "More"}]})) == 1, "an exception that is too wide"
        write("Sources/Two/Same.swift", "enum B {}\n")
        assert any(line.startswith("B is a type of One and of Two") for line in found()), found()
        assert found({"One": [{"High", "Low"}]}, {"B"}) == []
        assert found({"One": [{"High", "Low"}]}, alternatives=[{"One", "Two"}]) == []
        assert len(found({"One": [{"High", "Low"}]}, alternatives=[{"Two", "Three"}])) == 1, "only one of them"
        assert len(found({"One": [{"High", "Low"}]}, {"B", "A"})) == 1, "an exception that is not needed"
        write("Sources/Three/Out/In/A.swift", "struct InA { var other: OtherA }\n")
        write("Sources/Three/Out/Other/A.swift", "struct OtherA {}\n")
        inner = inner_folders(root, ["Sources"])
        assert [folder.name for folder in inner] == ["Three/Out"] and circles(inner, {}) == [], inner
        write("Sources/Three/Out/Other/B.swift", "struct OtherB { var one: InA }\n")
        wrong = circles(inner_folders(root, ["Sources"]), {})
        assert len(wrong) == 1 and wrong[0].startswith("Three/Out: In, Other depend on each other"), wrong
        assert circles(inner_folders(root, ["Sources"]), {"Three/Out": [{"In", "Other"}]}) == []
