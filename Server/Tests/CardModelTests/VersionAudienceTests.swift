import CardModel
import Statistics
import Testing
import WireJSON

@Suite("Versions of the app are compared by their numbers")
struct VersionAudienceTests {
    private func holds(_ version: String?, _ comparison: AttributeClause.Comparison, _ value: JSONValue) -> Bool {
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        profile.device.appVersion = version
        let clause = AttributeClause(.system(.appVersion), comparison, value)
        return AudienceMatcher(.attribute(clause)).matches(Sample.facts(profile))
    }

    @Test(
        "One after the other, whatever follows them",
        arguments: [
            ("2.10", "2.9", 1), ("2.9", "2.10", -1), ("2.10.1", "2.10", 1), ("10", "9.9.9", 1), ("1.0.1", "1.1", -1),
            ("2", "2.0.0", 0), ("2.0", "2", 0), ("2.0.0.1", "2", 1), ("02.010", "2.10", 0), ("0", "0.0", 0),
            ("2.1-beta", "2.1", 0), ("2.1-beta.7", "2.1", 0), ("2.1 (345)", "2.1", 0), ("2.1b3", "2.1", 0),
            ("2..9", "2", 0), ("2.x.9", "2", 0), ("2.", "2", 0),
            ("1.99999999999999999999", "1.99999999999999999998", 0),
            ("1.99999999999999999999", "1.9", 1), ("9223372036854775807", "9223372036854775806", 1),
            ("3.2.1", "3.2.1", 0), ("3.2.1", "3.2.10", -1), ("1.2.3.4.5.6", "1.2.3.4.5.7", -1),
        ]
    )
    func orders(_ version: String, _ other: String, _ order: Int) {
        #expect(holds(version, .greaterThan, .string(other)) == (order > 0))
        #expect(holds(version, .greaterThanOrEqual, .string(other)) == (order >= 0))
        #expect(holds(version, .lessThan, .string(other)) == (order < 0))
        #expect(holds(version, .lessThanOrEqual, .string(other)) == (order <= 0))
    }

    @Test("Random versions are ordered as lists of numbers of one length are")
    func random() {
        var random = SplitMix(seed: 131)
        func version() -> [Int] {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 0...11, using: &random) }
        }
        for _ in 0..<400 {
            let (left, right) = (version(), version())
            func padded(_ numbers: [Int]) -> [Int] { numbers + Array(repeating: 0, count: 4 - numbers.count) }
            func text(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ".") }
            let isLess = padded(left).lexicographicallyPrecedes(padded(right))
            #expect(holds(text(left), .lessThan, .string(text(right))) == isLess)
            #expect(holds(text(right), .lessThanOrEqual, .string(text(left))) == !isLess)
        }
    }

    @Test(
        "What has no number at its start is in no order, and nor is what is missing",
        arguments: ["v2.1", "", " 2", "beta", "-1", ".5", "\u{662}.1", "\u{FF12}", nil] as [String?]
    )
    func unordered(_ version: String?) {
        for comparison in [AttributeClause.Comparison.greaterThan, .greaterThanOrEqual, .lessThan, .lessThanOrEqual] {
            #expect(!holds(version, comparison, "2"))
        }
    }

    @Test("The same version is the same text: only orders look at the numbers")
    func equality() {
        #expect(holds("2.0", .equals, "2.0") && !holds("2.0", .equals, "2.0.0") && holds("2.0", .notEqual, "2"))
        #expect(holds("2.10", .isAnyOf, ["2.9", "2.10"]) && holds("2.10", .isNoneOf, ["2.1"]))
        #expect(holds("2.10.1", .contains, "10") && holds("2.10.1", .matchesRegex, "^2\\.1"))
    }

    @Test("A number in the place of a text has its digits")
    func numbers() throws {
        #expect(holds("2.9", .greaterThan, 2) && holds("2.9", .greaterThan, 2.1) && !holds("2.9", .greaterThan, 3))
        let audience = try Audience(json: ["attribute": "app_version", "comparison": "less_than", "value": 2.5])
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        profile.device.appVersion = "2.4.9"
        #expect(AudienceMatcher(audience).matches(Sample.facts(profile)))
        profile.device.appVersion = "2.10"
        #expect(!AudienceMatcher(audience).matches(Sample.facts(profile)))
    }
}
