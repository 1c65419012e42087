"""Checks scripts/check-structure: what it finds of stores, pages and tests that documents name."""

import pathlib
import tempfile

from security import document

from .pages import lookups
from .stores import STORES, SWIFT_STORE, decisions, forgotten_checks


def test_forgotten_checks() -> None:
    """Checks what is found of checks that nothing runs."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "All.swift").write_text('let topics = [("A", AChecks.checks)]\n', encoding="utf-8")
        listed = "enum AChecks {\n    static let checks: [ConformanceCheck] = [\n        a, b,\n    ]\n\n"
        a = '    static let a = ConformanceCheck(\n        "A"\n    ) { _ in }\n'
        b = '    static let b: ConformanceCheck = ConformanceCheck("B") { _ in }\n'
        (root / "A.swift").write_text(listed + a + b + "}\n", encoding="utf-8")
        assert forgotten_checks(root) == [], forgotten_checks(root)
        (root / "A.swift").write_text(listed + a + b + a.replace(" a ", " c ") + "}\n", encoding="utf-8")
        assert forgotten_checks(root) == ["A.swift: no list has c, so no store is checked by it."], forgotten_checks(
            root
        )
        (root / "B.swift").write_text(listed.replace("AChecks", "BChecks") + a + b + "}\n", encoding="utf-8")
        assert "B.swift: ConformanceCheck.all has no BChecks.checks." in forgotten_checks(root), forgotten_checks(root)


def test_lookups() -> None:
    """Checks what is found of lookups by texts."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "A").mkdir()
        page = 'let list = ["a"]\n// b["c"] ?? ""\nlet d = e["f"]?["g"] ?? ""\nh(i)["j"] = ["k": ""]\nl[.m] ?? "n"\n'
        (root / "A/Page.swift").write_text(page, encoding="utf-8")
        assert lookups(root, 3, 1) == [], lookups(root, 3, 1)
        assert len(lookups(root, 2, 0)) == 2, "more of both"
        assert len(lookups(root, 4, 2)) == 2, "fewer of both"


def test_decisions() -> None:
    """Checks what is found of decisions in stores."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for store in STORES:
            (root / store).mkdir()

        def found(source: str, store: str = "SQLiteCardStore") -> list[str]:
            (root / store / "A.swift").write_text(source, encoding="utf-8")
            wrong = decisions(root, STORES)
            (root / store / "A.swift").write_text("", encoding="utf-8")
            return wrong

        for line in (
            "if old.role == .admin { a() }",
            "guard a.launchedAt != nil else { return }",
            "b = x.map { $0 < job.status }",
            "return now <= a?.endedAt ?? 0",
        ):
            assert len(found(line)) == 1 and "A.swift:1: a store compares a " in found(line)[0], line
            assert found(line, SWIFT_STORE) == [], line
        for line in (
            "let a = filter.status == nil ? b : c",
            "// old.role == .admin",
            'sql = "WHERE c.status <> d.status AND c.version < 3"',
            "if a.generation != b { c(d.status) }",
            "if count < a.version.rest { b() }",
            "let b: [C<D>] = e.status",
        ):
            assert found(line) == [], found(line)
        for line in ("a = b.version + 1", 'a(try row.integer("version") + 1)', "version + 1"):
            assert len(found(line)) == len(found(line, SWIFT_STORE)) == 1, line
        assert found("// version + 1\nlet conversion = subversion + 1\n") == []
        error = 'throw StoreError(\n    .exists,\n    "Say it.\\(1)"\n)'
        assert found(error) == []
        (root / "PostgresCardStore/B.swift").write_text(error, encoding="utf-8")
        both = found(error + error)
        assert len(both) == 1 and both[0].startswith("PostgresCardStore/B.swift and SQLiteCardStore/A.swift say"), both


def test_named_tests() -> None:
    """Checks what is found of tests that the document about security names."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for place in ("docs", "Server/Tests/A", "scripts/lib/security/topics"):
            (root / place).mkdir(parents=True)
        (root / "scripts/lib/security/topics/csrf.py").write_text("", encoding="utf-8")
        tests = '@Test("One holds")\n@Test(\n    "Two \\"hold\\", at once",\n    arguments: [1]\n)\n@Test("Two end")\n'
        tests += "@Test func `Three holds`() {}\n"
        (root / "Server/Tests/A/ATests.swift").write_text(tests, encoding="utf-8")

        def found(*names: str) -> list[str]:
            text = "`attacks: csrf` " + " ".join(f"`{name}`" for name in names)
            (root / "docs/security.md").write_text(text, encoding="utf-8")
            return document.problems(root=root)

        assert found("ATests: One holds", 'ATests: Two "hold", at once', "ATests: Two e…", "ATests: Three…") == []
        assert found("ATests: One held") == ["docs/security.md names “One held” of ATests, which is no test"]
        assert len(found("ATests: One", "ATests: Four…", "BTests: One holds", "ATests: Two…")) == 4
        assert found("attacks: forms") == ["docs/security.md names the attacks forms, which are no topic"]
