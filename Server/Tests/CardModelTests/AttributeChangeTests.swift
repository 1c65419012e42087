import CardModel
import Testing
import WireJSON

@Suite("Changes of attributes")
struct AttributeChangeTests {
    @Test(
        "A number grows and shrinks; what is none stays",
        arguments: [
            (nil, 2, 2), (3, 2, 5), (3, -4, -1), (1.5, 1, 2.5), (0.5, 0.5, 1), ("x", 1, "x"),
            (9_223_372_036_854_775_807, 1, .decimal(ExactDecimal(9_223_372_036_854_775_807) + 1)), (0.1, 0.2, 0.3),
            (1e300, 1, 1e300), (1e-12, 1, 1.000000000001),
        ] as [(JSONValue?, JSONValue, JSONValue)]
    )
    func increment(_ value: JSONValue?, by amount: JSONValue, gives expected: JSONValue) {
        #expect(AttributeChange.increment(by: amount).applied(to: value) == expected)
    }

    @Test("Ten times a tenth is one")
    func tenths() {
        let sum = (0..<10).reduce(JSONValue?.none) { value, _ in AttributeChange.increment(by: 0.1).applied(to: value) }
        #expect(sum == 1)
    }

    @Test("An element that is added again moves to the end; one that is removed is gone")
    func edit() {
        let edit = AttributeChange.edit(adding: ["b", "d"], removing: ["a"])
        #expect(edit.applied(to: ["a", "b", "c"]) == ["c", "b", "d"])
        #expect(edit.applied(to: nil) == ["b", "d"])
        #expect(edit.applied(to: "text") == ["b", "d"])
    }

    @Test("Arrays of plain values are sets of at most five hundred")
    func arrays() {
        #expect(AttributeChange.set(["h", "h", "p"]).applied(to: nil) == ["h", "p"])
        let many = (0..<600).map { JSONValue.integer(Int64($0)) }
        #expect(AttributeChange.set(.array(many)).applied(to: nil)?.array?.first == 100)
        let alike: JSONValue = [["n": 1], ["n": 1]]
        #expect(AttributeChange.set(alike).applied(to: nil) == alike)
    }

    @Test("Objects merge at every depth, and null takes a member away")
    func merge() {
        let change = AttributeChange.merge(["a": ["x": 1], "b": .null, "c": [1]])
        #expect(change.applied(to: ["a": ["y": 2], "b": 3]) == ["a": ["y": 2, "x": 1], "c": [1]])
        #expect(change.applied(to: 5) == ["a": ["x": 1], "c": [1]])
    }

    @Test("Of several users with one address, the steps leave one or nobody")
    func preference() {
        let matches = [
            UserMatch(id: UserID(rawValue: "ann"), updatedAt: 1), UserMatch(id: UserID(rawValue: "bob"), updatedAt: 2),
            UserMatch(id: UserID(rawValue: "unidentified-1"), updatedAt: 3),
        ]
        func choice(_ preference: MatchPreference) -> String? { preference.choose(from: matches)?.rawValue }
        #expect(choice(.usual) == "bob")
        #expect(choice(MatchPreference([.identified])) == nil)
        #expect(choice(MatchPreference([.identified, .leastRecentlyUpdated])) == "ann")
        #expect(choice(MatchPreference([.unidentified])) == "unidentified-1")
        #expect(choice(MatchPreference([.mostRecentlyUpdated])) == "unidentified-1")
        #expect(MatchPreference.usual.choose(from: []) == nil)
    }

    @Test("A window lets through as many as it has, and begins again when it is over")
    func window() {
        let limit = RateLimit(requests: 2, seconds: 10)
        var window = RateWindow(startingAt: 100)
        #expect(window.take(limit, at: 100).remaining == 1)
        #expect(window.take(limit, at: 109.9).isAllowed)
        let refused = window.take(limit, at: 109.95)
        #expect(!refused.isAllowed)
        #expect(refused.resetsAt == 110)
        #expect(window.take(limit, at: 110).remaining == 1)
        #expect(window.take(limit, at: 50).resetsAt == 60)
    }

    @Test func `An array of objects keeps the last five hundred, and takes out all that match`() {
        let objects = (0..<600).map { JSONValue.object(["k": .integer(Int64($0)), "a": .integer(Int64($0 % 2))]) }
        let add = AttributeChange.editObjects(.init(additions: objects, updates: [], removals: [], merges: false))
        let kept = add.applied(to: nil)?.array ?? []
        #expect(kept == Array(objects.suffix(500)))
        let removals = [
            AttributeChange.ObjectEdits.ObjectMatch(key: "a", value: 0), .init(key: "k", value: 599),
            .init(key: "absent", value: .null), .init(key: "k", value: "601"),
        ]
        let remove = AttributeChange.editObjects(.init(additions: [], updates: [], removals: removals, merges: false))
        #expect(remove.applied(to: .array(kept))?.array?.count == 249)
        #expect(remove.cost == 14)
    }
}
