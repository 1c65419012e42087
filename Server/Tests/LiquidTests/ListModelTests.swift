import Liquid
import Testing

@Suite("Lists and their models")
struct ListModelTests {
    private func text(_ source: String, _ list: [LiquidValue], _ other: [LiquidValue] = []) throws -> String? {
        let data: [(key: String, value: LiquidValue)] = [("a", .array(list)), ("b", .array(other))]
        return try standard.compile(source).render(LiquidContext(data: LiquidHash(data))).text
    }

    private func row(_ key: LiquidValue?, _ name: Int) -> LiquidValue {
        var pairs: [(key: String, value: LiquidValue)] = [("n", .int(name))]
        if let key { pairs.append((key: "k", value: key)) }
        return .hash(LiquidHash(pairs))
    }

    @Test("are sorted so that equal items keep their places, and what is missing comes last")
    func sorting() throws {
        var random = SeededRandom(seed: 41)
        for _ in 0..<200 {
            let keys: [Int?] = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                let key = Int.random(in: -2...3, using: &random)
                return key == 3 ? nil : key
            }
            var expected: [Int] = []
            for key in [-2, -1, 0, 1, 2, nil] { expected += keys.indices.filter { keys[$0] == key } }
            let rows = keys.enumerated().map { place, key in row(key.map { .int($0) }, place) }
            let names = expected.map(String.init).joined(separator: " ")
            #expect(try text("{{ a | sort: 'k' | map: 'n' | join }}", rows) == names)
            // The same as texts, of one digit, with the least number as the least letter.
            let texts = keys.enumerated().map { place, key in row(key.map { .string("x\($0 + 5)") }, place) }
            #expect(try text("{{ a | sort: 'k' | map: 'n' | join }}", texts) == names)
            #expect(try text("{{ a | sort_natural: 'k' | map: 'n' | join }}", texts) == names)
        }
    }

    @Test("are sorted by bytes, or by letters without their case, those of ASCII only")
    func letters() throws {
        let words: [LiquidValue] = ["b", "B", "a", "A", "é", "É", "z", "_", "10", "9", ""]
        #expect(try text("{{ a | sort | join: ',' }}", words) == ",10,9,A,B,_,a,b,z,É,é")
        #expect(try text("{{ a | sort_natural | join: ',' }}", words) == ",10,9,_,a,A,b,B,z,É,é")
    }

    @Test("are sorted as numbers whether whole or not, to the last digit of a whole one")
    func numbers() throws {
        #expect(try text("{{ a | sort | join: ' ' }}", [2, 1.5, -1, 1, 1.25, 0]) == "-1 0 1 1.25 1.5 2")
        let large: [LiquidValue] = [.int(.max), .int(.max - 1), .int(.min), .int(9_007_199_254_740_993)]
        #expect(
            try text("{{ a | sort | join: ' ' }}", large)
                == "-9223372036854775808 9007199254740993 9223372036854775806 9223372036854775807"
        )
    }

    @Test("keep each value once, where it stood first")
    func unique() throws {
        var random = SeededRandom(seed: 42)
        for _ in 0..<200 {
            let numbers = (0..<Int.random(in: 0...14, using: &random)).map { _ in Int.random(in: 0...5, using: &random)
            }
            var kept: [Int] = []
            var places: [Int] = []
            for (place, number) in numbers.enumerated() where !kept.contains(number) {
                kept.append(number)
                places.append(place)
            }
            #expect(try text("{{ a | uniq | join }}", numbers.map { .int($0) }) == shown(kept))
            let lists: [LiquidValue] = numbers.enumerated().map { row(.array([.int($1), ["x": .int($1)]]), $0) }
            #expect(try text("{{ a | uniq: 'k' | map: 'n' | join }}", lists) == shown(places))
        }
    }

    private func shown(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: " ") }

    @Test(
        "tell values apart that print alike, and take together what is equal in another order",
        arguments: [
            ([1, "1", 1.0, true, "true"], 5), ([nil, "", false, [], [:]], 5),
            ([["a": 1, "b": 2], ["b": 2, "a": 1]], 1), ([["a": 1], ["a": 1, "b": nil]], 2),
            ([["a": nil], ["b": nil]], 2), ([["x": [1, [2]]], ["x": [1, [2]]]], 1),
            ([0.0, -0.0], 1), ([.double(.nan), .double(.nan)], 1), ([.int(.max), .int(.max - 1)], 2),
        ] as [([LiquidValue], Int)]
    )
    func kinds(_ values: [LiquidValue], _ count: Int) throws {
        // Wrapped, so that lists in the list are not flattened.
        let rows = values.enumerated().map { row($1, $0) }
        #expect(try text("{{ a | uniq: 'k' | size }}", rows) == "\(count)")
    }

    @Test("are chosen from by a property: kept, left out, found and counted alike")
    func choosing() throws {
        var random = SeededRandom(seed: 43)
        let keys: [LiquidValue?] = [nil, .null, false, true, 0, 1, "", "x", 1.0]
        let isTrue = [false, false, false, true, true, true, true, true, true]
        for _ in 0..<200 {
            let picks = (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0...8, using: &random) }
            let rows = picks.enumerated().map { row(keys[$1], $0) }
            let kept = picks.indices.filter { isTrue[picks[$0]] }
            let ones = picks.indices.filter { [5, 8].contains(picks[$0]) }
            #expect(try text("{{ a | where: 'k' | map: 'n' | join }}", rows) == shown(kept))
            #expect(try text("{{ a | where: 'k', 1 | map: 'n' | join }}", rows) == shown(ones))
            let others = picks.indices.filter { !kept.contains($0) }
            #expect(try text("{{ a | reject: 'k' | map: 'n' | join }}", rows) == shown(others))
            #expect(try text("{{ a | find_index: 'k', 1 }}", rows) == ones.first.map(String.init) ?? "")
            #expect(try text("{% assign f = a | find: 'k' %}{{ f.n }}", rows) == kept.first.map(String.init) ?? "")
            #expect(try text("{{ a | has: 'k' }}", rows) == "\(!kept.isEmpty)")
            let present = picks.indices.filter { picks[$0] > 1 }
            #expect(try text("{{ a | compact: 'k' | map: 'n' | join }}", rows) == shown(present))
        }
    }

    @Test("add up to what their numbers come to, those in texts and in lists as well")
    func sums() throws {
        var random = SeededRandom(seed: 44)
        for _ in 0..<200 {
            let cents = (0..<Int.random(in: 1...8, using: &random)).map { _ in Int.random(in: 1...9_999, using: &random)
            }
            let total = cents.reduce(0, +)
            #expect(try text("{{ a | sum }}", cents.map { .int($0) }) == "\(total)")
            #expect(try text("{{ a | sum }}", cents.map { .string(" \($0) pieces") }) == "\(total)")
            let tenths = Double(total) / 10
            #expect(try text("{{ a | sum }}", cents.map { .double(Double($0) / 10) }) == "\(tenths)")
            let nested: [LiquidValue] = cents.map { .array([.int($0), .array([.int(1)])]) }
            #expect(try text("{{ a | sum }}", nested) == "\(total + cents.count)")
            let rows = cents.enumerated().map { row(.int($1), $0) }
            #expect(try text("{{ a | sum: 'k' }}", rows + [row(nil, 0), row("x", 0)]) == "\(total)")
        }
    }

    @Test("turn around, come together and come apart again")
    func shapes() throws {
        var random = SeededRandom(seed: 45)
        for _ in 0..<100 {
            let left = (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0...9, using: &random) }
            let right = (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0...9, using: &random) }
            let (first, second): ([LiquidValue], [LiquidValue]) = (left.map { .int($0) }, right.map { .int($0) })
            #expect(try text("{{ a | reverse | join }}", first) == shown(left.reversed()))
            #expect(try text("{{ a | reverse | reverse | join }}", first) == shown(left))
            #expect(try text("{{ a | concat: b | join }}", first, second) == shown(left + right))
            #expect(try text("{{ a | concat: b | size }}", first, second) == "\(left.count + right.count)")
            #expect(try text("{{ a | join: ',' | split: ',' | join }}", first) == shown(left))
            #expect(try text("{{ a | first }}/{{ a | last }}", first) == ends(left))
        }
    }

    private func ends(_ numbers: [Int]) -> String {
        "\(numbers.first.map(String.init) ?? "")/\(numbers.last.map(String.init) ?? "")"
    }
}
