import CardModel
import Statistics
import Testing
import WireJSON

/// Compares changes of attributes with the same said in loops.
@Suite("Changes of attributes and their model")
struct AttributeEditModelTests {
    private func values(_ count: Int, _ random: inout SplitMix) -> [JSONValue] {
        let known: [JSONValue] = ["a", "b", "A", 1, 2, true, false, "1", "caf\u{E9}", "cafe\u{301}"]
        return (0..<count).map { _ in known[Int.random(in: known.indices, using: &random)] }
    }

    private func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool { left.bytes == right.bytes }

    private func distinct(_ values: [JSONValue]) -> [JSONValue] {
        var kept: [JSONValue] = []
        for value in values where !kept.contains(where: { isSame($0, value) }) { kept.append(value) }
        return kept
    }

    @Test("Sets keep each value where it stood first; what is added moves to the end, what is removed is gone")
    func sets() {
        var random = SplitMix(seed: 91)
        for _ in 0..<400 {
            let start = values(Int.random(in: 0...8, using: &random), &random)
            let set = AttributeChange.set(.array(start)).applied(to: 5)
            #expect(set == .array(distinct(start)))
            let additions = values(Int.random(in: 0...4, using: &random), &random)
            let removals = values(Int.random(in: 0...4, using: &random), &random)
            let before = distinct(start)
            let gone = additions + removals
            let expected = before.filter { old in !gone.contains { isSame($0, old) } } + distinct(additions)
            let edit = AttributeChange.edit(adding: additions, removing: removals)
            #expect(edit.applied(to: .array(before)) == .array(expected))
        }
    }

    @Test("The last five hundred are kept of what is set and of what is added", arguments: [499, 500, 501, 1_200])
    func limit(count: Int) {
        let numbers = (0..<count).map { JSONValue.integer(Int64($0)) }
        let last = JSONValue.array(Array(numbers.suffix(500)))
        #expect(AttributeChange.set(.array(numbers)).applied(to: nil) == last)
        let added = AttributeChange.edit(adding: numbers, removing: []).applied(to: ["x"])
        #expect(added == .array(Array((["x"] + numbers).suffix(500))))
        let objects = (0..<count).map { JSONValue.object(["n": .integer(Int64($0))]) }
        let edits = AttributeChange.ObjectEdits(additions: objects, updates: [], removals: [], merges: false)
        #expect(AttributeChange.editObjects(edits).applied(to: nil) == .array(Array(objects.suffix(500))))
    }

    @Test("Whole numbers and cents are counted up and down without losing any", arguments: [1, 100, 1_000])
    func increments(parts: Int64) {
        var random = SplitMix(seed: 92)
        var value: JSONValue?
        var sum: Int64 = 0
        for _ in 0..<500 {
            let step = Int64.random(in: -100_000...100_000, using: &random)
            sum += step
            let amount = Amount(billionths: Int128(step) * (1_000_000_000 / Int128(parts)))
            value = AttributeChange.increment(by: JSONValue(amount)).applied(to: value)
        }
        #expect(value == JSONValue(Amount(billionths: Int128(sum) * (1_000_000_000 / Int128(parts)))))
    }

    @Test(
        "What is no number is left alone, and a number that is too large leaves what is there",
        arguments: [
            (.bool(true), 1, .bool(true)), (.null, 1, .null), (["a"], 1, ["a"]), (["a": 1], 1, ["a": 1]),
            ("5", 1, "5"), (1, "x", 1), (1, .null, 1), (.number(1.5e308), .number(1e308), .number(1.5e308)),
            (.integer(.max), -1, .integer(.max - 1)), (.integer(.min), 1, .integer(.min + 1)),
            (.integer(.min), .integer(.max), -1),
        ] as [(JSONValue, JSONValue, JSONValue)]
    )
    func odd(_ value: JSONValue, by amount: JSONValue, gives expected: JSONValue) {
        #expect(AttributeChange.increment(by: amount).applied(to: value) == expected)
    }

    @Test("Objects that match are removed, then changed, then others added, in this order")
    func objects() {
        let start: JSONValue = [["id": 1, "n": "a"], ["id": 2, "n": "b"], ["id": 2, "n": "c"], "text", ["n": "d"]]
        typealias Edits = AttributeChange.ObjectEdits
        func applied(_ edits: Edits) -> JSONValue? { AttributeChange.editObjects(edits).applied(to: start) }
        let removal = Edits.ObjectMatch(key: "id", value: 2)
        #expect(
            applied(Edits(additions: [], updates: [], removals: [removal], merges: false))
                == [["id": 1, "n": "a"], "text", ["n": "d"]]
        )
        let update = Edits.Update(match: Edits.ObjectMatch(key: "id", value: 2), object: ["id": 2, "x": true])
        #expect(
            applied(Edits(additions: [], updates: [update], removals: [], merges: false))
                == [["id": 1, "n": "a"], ["id": 2, "x": true], ["id": 2, "x": true], "text", ["n": "d"]]
        )
        #expect(
            applied(Edits(additions: [], updates: [update], removals: [], merges: true))
                == [
                    ["id": 1, "n": "a"], ["id": 2, "n": "b", "x": true], ["id": 2, "n": "c", "x": true], "text",
                    ["n": "d"],
                ]
        )
        // What is removed isn't changed, and what is added isn't either.
        #expect(
            applied(Edits(additions: [["id": 2]], updates: [update], removals: [removal], merges: true))
                == [["id": 1, "n": "a"], "text", ["n": "d"], ["id": 2]]
        )
        // Each update sees what those before it have made.
        let second = Edits.Update(match: Edits.ObjectMatch(key: "x", value: true), object: ["y": 1])
        #expect(
            applied(Edits(additions: [], updates: [update, second], removals: [], merges: false))
                == [["id": 1, "n": "a"], ["y": 1], ["y": 1], "text", ["n": "d"]]
        )
    }

    @Test(
        "Merging keeps what the other does not name, at every depth, and takes away what it says is null",
        arguments: [
            (["a": ["b": ["c": 1]]], ["a": ["b": ["d": 2]]], ["a": ["b": ["c": 1, "d": 2]]]),
            (["a": ["b": 1]], ["a": 5], ["a": 5]), (["a": 5], ["a": ["b": 1]], ["a": ["b": 1]]),
            (["a": ["b": 1, "c": 2]], ["a": ["b": .null]], ["a": ["c": 2]]), (["a": 1], ["b": .null], ["a": 1]),
            (["a": ["b": 1]], ["a": ["b": .null]], ["a": [:]]), (["a": [1, 2]], ["a": [3]], ["a": [3]]),
            ("text", ["a": ["b": .null, "c": 1]], ["a": ["c": 1]]), (["a": 1], [:], ["a": 1]),
        ] as [(JSONValue, JSONValue, JSONValue)]
    )
    func merging(_ value: JSONValue, _ other: JSONValue, _ expected: JSONValue) {
        #expect(AttributeChange.merge(other).applied(to: value) == expected)
    }
}
