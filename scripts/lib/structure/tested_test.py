"""Checks scripts/check-structure: what it finds of the amount of tests."""

import pathlib
import tempfile

from .tested import HIGH_AIM, SLACK, aim, code_lines, ratios, table, thin_tests


def test_code_lines() -> None:
    """Checks which lines are counted."""
    assert code_lines("") == 0
    assert code_lines("/// A.\nlet a = 1 // one\n\n// B\n") == 1
    assert code_lines('let a = """\n    // text\n\n    b\n    """\n// c\n') == 4
    assert code_lines("/* A\nb\n*/\nlet c = 1\n/* d */\nlet e = 2\n") == 2


def test_ratios() -> None:
    """Checks which tests count for which module."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)

        def write(path: str, lines: int) -> None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text("let a = 1\n" * lines, encoding="utf-8")

        write("Sources/One/In/A.swift", 10)
        write("Sources/One/One.docc/Example.swift", 10)
        write("Sources/Two/B.swift", 5)
        write("Sources/Three/C.swift", 4)
        write("Sources/Only/D.swift", 4)
        write("Sources/Without/D.c", 4)
        write("Tests/OneTests/A.swift", 3)
        write("Tests/OneTests/Two/B.swift", 2)
        write("Tests/OneTests/C.swift", 1)
        places = {"Two": ["Tests/OneTests/Two", "Tests/OneTests/C.swift"]}
        found = ratios(root, ["Sources"], places, {"Only": "is an example"})
        assert found == {"One": (10, 3), "Two": (5, 3), "Three": (4, 0)}, found
        assert [line.split()[:2] for line in table(found)] == [["0.00", "Three"], ["0.30", "One"], ["0.60", "Two"]]


def test_thin_tests() -> None:
    """Checks what is said of too few tests and of floors."""
    assert aim("CardModel") == HIGH_AIM
    found = {"A": (10, 6), "B": (10, 5), "CardModel": (10, 9)}
    assert thin_tests(found, {"B": 0.5, "CardModel": 0.9}) == []
    for floors, words in [
        ({"CardModel": 0.9}, "0.6 is the least"),
        ({"B": 0.5}, "CardModel has 0.900 lines of tests for each of its own: 1.0 is the least"),
        ({"A": 0.5, "B": 0.5, "CardModel": 0.9}, "A has reached its aim"),
        ({"B": 0.51, "CardModel": 0.9}, "had 0.51: write tests"),
        ({"B": 0.5 - SLACK - 0.01, "CardModel": 0.9}, "raise its floor"),
        ({"B": 0.5, "C": 0.5, "CardModel": 0.9}, "C is no module"),
    ]:
        wrong = thin_tests(found, floors)
        assert len(wrong) == 1 and words in wrong[0], wrong
    lowered = thin_tests(found, {"B": 0.49, "CardModel": 0.9}, {"A": 0.5, "B": 0.5, "CardModel": 0.8})
    assert len(lowered) == 1 and "B had a floor of 0.5" in lowered[0], lowered
