"""Checks scripts/check-structure: what it finds of lengths and copies."""

import pathlib
import tempfile

from swift_source import function_lengths, strip

from .copies import copies
from .lengths import LONGEST_FILE, LONGEST_FUNCTION, NINE_IN_TEN, lengths, long_files


def test_lengths() -> None:
    """Checks what is found of long functions and files."""
    source = strip(
        "protocol P {\n    func a() async\n        throws -> Int\n    init?(b: Int)\n}\nstruct S {\n    init(c: [Int] ="
        " [1], d: () -> Void = { }) {\n        e()\n\n        // f\n        g { h }\n    }\n    static func == (i: S,"
        ' j: S)\n        -> Bool\n    {\n        k ? "}" : /[{"]/\n    }\n    @A(b) func l<T>() where T: P { #/m{/#.n'
        " }\n    deinit {}\n}\n"
    )
    found = [(lines, name) for lines, _, name in function_lengths(source)]
    assert found == [(2, "init"), (1, "func =="), (1, "func l"), (0, "deinit")], found
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "One").mkdir()
        (root / "Tests").mkdir()

        def function(lines: int, count: int = 1) -> str:
            return "func a() {\n" * 1 + "b()\n" * lines + "}\n" if count == 1 else function(lines) * count

        (root / "One/A.swift").write_text(function(NINE_IN_TEN, 19), encoding="utf-8")
        (root / "Tests/A.swift").write_text(function(LONGEST_FUNCTION), encoding="utf-8")
        assert lengths(root, ["One"], ["Tests"]) == [], lengths(root, ["One"], ["Tests"])
        (root / "Tests/A.swift").write_text(function(LONGEST_FUNCTION + 1), encoding="utf-8")
        (root / "Tests/B.swift").write_text("\n" * (LONGEST_FILE + 1), encoding="utf-8")
        wrong = lengths(root, ["One"], ["Tests"])
        assert len(wrong) == 2 and "func a has 61" in wrong[0] and "B.swift has 351" in wrong[1], wrong
        (root / "One/B.swift").write_text(function(NINE_IN_TEN + 1, 3), encoding="utf-8")
        assert any("One in ten" in line for line in lengths(root, ["One"], [])), "the ninetieth percentile"


def test_long_files() -> None:
    """Checks what is found of scripts, templates and styles that are too long."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        names = ["a.py", "b.mustache", "c", "d.txt", "e.bin"]
        for name in names:
            (root / name).write_text("#\n" * (LONGEST_FILE + 1), encoding="utf-8")
        (root / "c").write_text("#!/bin/sh\n" * (LONGEST_FILE + 1), encoding="utf-8")
        (root / "e.bin").write_bytes(b"\xff\n" * (LONGEST_FILE + 1))
        wrong = long_files(root, names, set())
        assert [line.split()[0] for line in wrong] == ["a.py", "b.mustache", "c"], wrong
        assert long_files(root, names, {"a.py", "b.mustache", "c"}) == []
        (root / "a.py").write_text("#\n" * LONGEST_FILE, encoding="utf-8")
        wrong = long_files(root, names, {"a.py", "b.mustache", "c"})
        assert wrong == ["a.py isn't too long: take it out of LONG_FILES."], wrong


def test_copies() -> None:
    """Checks what is found of functions that are the same."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "a.py").write_text('def one(x):\n    """Says what."""\n    return x\n', encoding="utf-8")
        (root / "b").write_text("#!/usr/bin/env python3\ndef two(x):\n    return  x\n", encoding="utf-8")
        (root / "c.py").write_text("def one(y):\n    return y\n\n\ndef three(x):\n    return x + 1\n", encoding="utf-8")
        (root / "d.sh").write_text("#!/bin/sh\nexit\n", encoding="utf-8")
        names = ["a.py", "b", "c.py", "d.sh"]
        wrong = copies(root, names)
        assert wrong == ["one of a.py and two of b do the same: declare one in a module of scripts/lib."], wrong
        assert copies(root, names[1:]) == []
