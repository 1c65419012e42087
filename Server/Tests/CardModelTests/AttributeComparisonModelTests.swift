import CardModel
import Testing
import WireJSON

/// Compares each comparison of each value with each that a user may have with what the documentation says of them.
@Suite("Comparisons of attributes and their model")
struct AttributeComparisonModelTests {
    private typealias Comparison = AttributeClause.Comparison

    private static let now = 1_772_355_600.0
    private static let day = 86_400.0

    /// Values of every kind; many are another one's neighbour, or look like one of another kind.
    private static let text = #"""
        [true, false, 0, 1, -1, 2, 41, 41.5, 0.1, 0.3, 36525, 36525.5, 1e-12, 1e300, -1e300,
        9007199254740992, 9007199254740993, 9007199254740992.5, 12345678901234567.25, 12345678901234567,
        9223372036854775807, 9223372036854775808, 9223372036854776000, -9223372036854775808, 1772323200, 1772409600,
        "", "0", "1", "41", "true", "a", "A", "abc", "ABC", "b", "caf\u00e9", "cafe\u0301", "null",
        "2026-03-01", "2026-03-01T00:00:00Z", "2026-03-01T09:00:00+09:00", "2026-03-02", "2026-02-30", "2.10.1",
        [], ["a"], ["a", 1, true], [0.1], [["a"]], [null], ["caf\u00e9"], {}, {"a": 1}]
        """#

    private func values() throws -> [JSONValue] { try #require(JSONValue(parsing: Self.text).array) }

    @Test(arguments: Comparison.allCases.filter { $0 != .matchesRegex && $0 != .doesNotMatchRegex })
    func `A comparison holds for the values of its kind that it means`(comparison: AttributeClause.Comparison) throws {
        let values = try values()
        for value in values + [.null] {
            var json: JSONObject = ["attribute": "x", "comparison": .string(comparison.rawValue)]
            if !value.isNull { json["value"] = value }
            let audience = try? Audience(json: .object(json))
            #expect((audience != nil) == isUnderstood(comparison, value), "\(value.text)")
            guard let audience else { continue }
            #expect(try Audience(json: JSONValue(parsing: audience.json.text)) == audience)
            let matcher = AudienceMatcher(audience)
            for found in values.map(JSONValue?.some) + [nil] {
                var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
                if let found { profile.custom["x"] = found }
                let holds = matcher.matches(Sample.facts(profile, at: Self.now))
                #expect(holds == means(comparison, value, found), "\(found?.text ?? "nothing") to \(value.text)")
            }
        }
    }

    // MARK: What the documentation says

    private func isScalar(_ value: JSONValue) -> Bool { !value.isNull && value.array == nil && value.object == nil }

    private func isUnderstood(_ comparison: Comparison, _ value: JSONValue) -> Bool {
        switch comparison {
        case .exists, .doesNotExist: value.isNull
        case .equals, .notEqual, .includesValue, .doesNotIncludeValue: isScalar(value)
        case .isAnyOf, .isNoneOf: value.array.map { !$0.isEmpty && $0.allSatisfy(isScalar) } ?? false
        case .contains, .doesNotContain, .matchesRegex, .doesNotMatchRegex: value.string.map { !$0.isEmpty } ?? false
        case .greaterThan, .greaterThanOrEqual, .lessThan, .lessThanOrEqual, .before, .after: moment(value) != nil
        case .lessThanDaysAgo, .greaterThanDaysAgo, .lessThanDaysAhead, .greaterThanDaysAhead:
            value.double.map { 0 <= $0 && $0 <= 36_525 } ?? false
        }
    }

    private func means(_ comparison: Comparison, _ value: JSONValue, _ found: JSONValue?) -> Bool {
        switch comparison {
        case .exists: found != nil
        case .doesNotExist: found == nil
        case .equals: found.map { isSame($0, value) } ?? false
        case .notEqual: !means(.equals, value, found)
        case .isAnyOf: (value.array ?? []).contains { means(.equals, $0, found) }
        case .isNoneOf: !means(.isAnyOf, value, found)
        case .includesValue: (found?.array ?? []).contains { isSame($0, value) }
        case .doesNotIncludeValue: !means(.includesValue, value, found)
        case .contains: found?.string.map { isFound(value.string ?? "", in: $0) } ?? false
        case .doesNotContain: !means(.contains, value, found)
        case .greaterThan: found.flatMap { order($0, value) }.map { $0 > 0 } ?? false
        case .greaterThanOrEqual: found.flatMap { order($0, value) }.map { $0 >= 0 } ?? false
        case .lessThan: found.flatMap { order($0, value) }.map { $0 < 0 } ?? false
        case .lessThanOrEqual: found.flatMap { order($0, value) }.map { $0 <= 0 } ?? false
        case .before, .after, .lessThanDaysAgo, .greaterThanDaysAgo, .lessThanDaysAhead, .greaterThanDaysAhead:
            found.flatMap(moment).map { isThen(comparison, $0, value) } ?? false
        case .matchesRegex, .doesNotMatchRegex: false
        }
    }

    private func isThen(_ comparison: Comparison, _ time: UnixTime, _ value: JSONValue) -> Bool {
        let (other, span) = (moment(value) ?? .nan, (value.double ?? .nan) * Self.day)
        switch comparison {
        case .before: return time < other
        case .after: return time > other
        case .lessThanDaysAgo: return time <= Self.now && Self.now < time + span
        case .greaterThanDaysAgo: return time + span <= Self.now
        case .lessThanDaysAhead: return time > Self.now && time - span <= Self.now
        default: return time - span > Self.now
        }
    }

    private func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if let order = numberOrder(left, right) { return order == 0 }
        if let left = left.string, let right = right.string { return left.utf8.elementsEqual(right.utf8) }
        return left.bool != nil && left.bool == right.bool
    }

    /// Negative, 0 or positive; numbers are compared by all their digits, and other values by the time that they are.
    private func order(_ left: JSONValue, _ right: JSONValue) -> Int? {
        if let order = numberOrder(left, right) { return order }
        guard let left = moment(left), let right = moment(right) else { return nil }
        return left < right ? -1 : left > right ? 1 : 0
    }

    private func numberOrder(_ left: JSONValue, _ right: JSONValue) -> Int? {
        guard let first = left.double, let second = right.double else { return nil }
        guard let left = left.exact, let right = right.exact else {
            return first < second ? -1 : first > second ? 1 : 0
        }
        return left < right ? -1 : left > right ? 1 : 0
    }

    private func moment(_ value: JSONValue) -> UnixTime? {
        if let text = value.string { Timestamp.unixTime(of: text) } else { value.double }
    }

    private func isFound(_ part: String, in text: String) -> Bool {
        let (part, text) = (Array(part.utf8), Array(text.utf8))
        return (0...text.count).contains { text[$0...].starts(with: part) }
    }
}
